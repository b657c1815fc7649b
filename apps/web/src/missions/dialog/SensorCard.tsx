import { mdiClose, mdiTrashCanOutline } from '@mdi/js';
import { Box, MenuItem } from '@mui/material';
import { DESCRIPTION_MAX, type Mission, NAME_MAX, sensorName, sensorTypes } from '@osprey/contract';
import { fill, formatCount } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { FileDrop } from '../../ui/fields/FileDrop.tsx';
import { UploadRow } from '../../uploads/UploadRow.tsx';
import { useUploads } from '../../uploads/upload-store.ts';
import { FileLine } from './FileLine.tsx';
import { ACCEPTED, isOnItsWay } from './files.ts';
import type { SensorEntry } from './form.ts';
import { selectDefault } from './offers.ts';
import { StoredFiles } from './StoredFiles.tsx';
import { texts } from './texts.ts';

type Props = {
  number: number;
  sensor: SensorEntry;
  /** The mission as stored on the server; null for a new one. */
  mission: Mission | null;
  files: readonly File[];
  /** Another sensor of the form already has this name. */
  taken: boolean;
  onChange: (sensor: SensorEntry) => void;
  onTake: (files: File[]) => void;
  onDropFile: (file: File) => void;
  onRemove?: () => void;
};

const words = texts.sensors;

/** Returns a sentence that explains why a sensor cannot have this name; null if it can. */
export function sensorNameProblem(name: string, taken: boolean): string | null {
  if (taken) return fill(texts.sensorNameTaken, { name });
  const parsed = sensorName.safeParse(name.trim());
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? null);
}

function countText(count: number): string {
  return count === 0 ? words.noFiles : formatCount(count, words.files);
}

export function SensorCard(props: Props) {
  const { number, sensor, mission, files, taken, onChange, onTake, onDropFile, onRemove } = props;
  const uploads = useUploads().filter((item) => isOnItsWay(item, sensor.id));
  const stored = mission?.sensors.find(({ _id }) => _id === sensor.id) ?? null;
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
          onFocus={selectDefault}
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
          {countText(files.length + (stored?.assets.length ?? 0) + uploads.length)}
        </Box>
        {onRemove && (
          <Action label={fill(words.remove, { name: sensor.name })} icon={mdiTrashCanOutline} onClick={onRemove} />
        )}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', '& > li': { borderTop: 1, borderColor: 'divider' } }}>
        {mission && stored && <StoredFiles mission={mission} sensor={stored} />}
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
        <Box sx={{ mt: 2, color: 'text.secondary', fontSize: 12, textAlign: 'center' }}>{words.alsoTaken}</Box>
      </Box>
    </Box>
  );
}
