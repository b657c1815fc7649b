import { mdiClose, mdiFileVideoOutline, mdiTrashCanOutline } from '@mdi/js';
import { Box, MenuItem } from '@mui/material';
import { DESCRIPTION_MAX, NAME_MAX, type Sensor, sensorName, sensorTypes } from '@osprey/contract';
import { fill, formatMegabytes } from '../../app/format.ts';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/Field.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { StateDot } from '../../ui/StateDot.tsx';
import { UploadRow } from '../../uploads/UploadRow.tsx';
import { useUploads } from '../../uploads/upload-store.ts';
import { ACCEPTED } from './files.ts';
import type { SensorEntry } from './form.ts';
import { texts } from './texts.ts';

type Props = {
  number: number;
  sensor: SensorEntry;
  /** As the server has it; null for a new one. */
  stored: Sensor | null;
  files: readonly File[];
  /** Another sensor of the form has this name. */
  taken: boolean;
  onChange: (sensor: SensorEntry) => void;
  onTake: (files: File[]) => void;
  onDropFile: (file: File) => void;
  onRemove?: () => void;
};

const words = texts.sensors;

/** Why this name cannot be; null when it can. */
export function sensorNameProblem(name: string, taken: boolean): string | null {
  if (taken) return fill(texts.sensorNameTaken, { name });
  const parsed = sensorName.safeParse(name.trim());
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? null);
}

function countText(count: number): string {
  if (count === 0) return words.noFiles;
  return count === 1 ? words.oneFile : fill(words.files, { count });
}

export function SensorCard(props: Props) {
  const { number, sensor, stored, files, taken, onChange, onTake, onDropFile, onRemove } = props;
  const uploads = useUploads().filter(
    ({ target, state }) => target.kind === 'sensor' && target.sensorId === sensor.id && state !== 'done',
  );
  const assets = stored?.assets ?? [];
  const fixed = sensor.id !== null;
  return (
    <Box
      component="section"
      aria-label={fill(words.title, { number })}
      sx={{ border: 1, borderColor: 'divider', borderRadius: 2, overflow: 'hidden' }}
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', sm: '170px 1fr 130px auto 32px' },
          alignItems: 'end',
          gap: 2,
          p: 3,
        }}
      >
        <Field
          label={texts.fields.sensorName}
          value={sensor.name}
          disabled={fixed}
          problem={sensorNameProblem(sensor.name, taken) ?? undefined}
          onChange={(event) => onChange({ ...sensor, name: event.target.value })}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
        />
        <Field
          label={texts.fields.sensorDescription}
          value={sensor.description}
          onChange={(event) => onChange({ ...sensor, description: event.target.value })}
          slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
        />
        <Field
          select
          label={texts.fields.sensorType}
          value={sensor.type}
          disabled={fixed}
          onChange={(event) => onChange({ ...sensor, type: event.target.value as SensorEntry['type'] })}
        >
          {sensorTypes.map((type) => (
            <MenuItem key={type} value={type}>
              {texts.sensorTypes[type]}
            </MenuItem>
          ))}
        </Field>
        <Box sx={{ height: 32, lineHeight: '32px', px: 2, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {countText(files.length + assets.length + uploads.length)}
        </Box>
        {onRemove && (
          <Action label={fill(words.remove, { name: sensor.name })} icon={mdiTrashCanOutline} onClick={onRemove} />
        )}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', '& > li': { borderTop: 1, borderColor: 'divider' } }}>
        {assets.map((asset) => (
          <FileLine key={asset._id} name={asset.name} sizeBytes={asset.sizeBytes}>
            <StateDot state={asset.state === 'failed' ? 'failed' : 'online'} />
            {asset.state === 'failed' ? fill(words.storedBad, { text: asset.message }) : words.stored}
          </FileLine>
        ))}
        {uploads.map((item) => (
          <UploadRow key={item.id} item={item} name="short" />
        ))}
        {files.map((file) => (
          <FileLine key={`${file.name}-${file.size}-${file.lastModified}`} name={file.name} sizeBytes={file.size}>
            <Action
              label={fill(words.removeFile, { file: file.name })}
              icon={mdiClose}
              onClick={() => onDropFile(file)}
            />
          </FileLine>
        ))}
      </Box>
      <Box sx={{ p: 3, borderTop: 1, borderColor: 'divider' }}>
        <FileDrop what={words.drop} name={sensor.name} accept={ACCEPTED} onFiles={onTake} />
      </Box>
    </Box>
  );
}

type LineProps = { name: string; sizeBytes: number; children: React.ReactNode };

function FileLine({ name, sizeBytes, children }: LineProps) {
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: 40, px: 3 }}>
      <Icon path={mdiFileVideoOutline} sx={{ color: 'text.secondary' }} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {name}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {fill(words.size, { size: formatMegabytes(sizeBytes) })}
      </Box>
      <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        {children}
      </Box>
    </Box>
  );
}
