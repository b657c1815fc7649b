import { mdiTrashCanOutline } from '@mdi/js';
import { Box, MenuItem } from '@mui/material';
import { DESCRIPTION_MAX, NAME_MAX, sensorTypes } from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { addressHelp, type SensorForm } from './platform-form.ts';
import { SourceTest } from './SourceTest.tsx';
import { texts } from './texts.ts';

type Props = {
  number: number;
  sensor: SensorForm;
  problemOf: (field: 'name' | 'url' | 'from') => string | undefined;
  onChange: (change: Partial<SensorForm>) => void;
  onRemove: () => void;
  /** Saved sensor that this one changes; null for a new one. */
  stored: { platform: string; sensor: string } | null;
  /** Called with the platform's name that the telemetry of the address states. */
  onName: (name: string) => void;
};

const { fields, help } = texts;
const nothing: readonly string[] = [];

/** Fields for one stream: its source with a test of it, who may send it, and its name. */
export function SensorFields({ number, sensor, problemOf, onChange, onRemove, stored, onName }: Props) {
  const isFirst = number === 1 && stored === null;
  const tested = { url: sensor.url.trim(), from: sensor.from, ...(stored !== null && { stored }) };
  return (
    <Box
      component="section"
      aria-label={fill(texts.sensor.title, { number })}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 32px', sm: '170px 110px 1fr 32px' },
        alignItems: 'start',
        gap: 3,
        p: 3,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
      }}
    >
      <Box sx={{ gridColumn: '1 / -1', display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '3fr 2fr' }, gap: 3 }}>
        <Field
          required
          autoFocus={isFirst}
          label={fields.url}
          value={sensor.url}
          help={addressHelp(sensor.url, sensor.type)}
          problem={problemOf('url')}
          onChange={(event) => onChange({ url: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 1000, spellCheck: false, autoComplete: 'off' } }}
        />
        <TagsField
          label={fields.from}
          help={help.from}
          existing={nothing}
          value={sensor.from}
          problem={problemOf('from')}
          onChange={(from) => onChange({ from })}
        />
      </Box>
      {sensor.type === 'video' && !/^replay:/i.test(sensor.url) && (
        <Box sx={{ gridColumn: '1 / -1' }}>
          <SourceTest sensorName={sensor.name} address={tested} onName={onName} />
        </Box>
      )}
      <Field
        label={fields.sensorName}
        value={sensor.name}
        problem={problemOf('name')}
        onChange={(event) => onChange({ name: event.target.value })}
        slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
      />
      <Field
        select
        label={fields.sensorType}
        value={sensor.type}
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, gridRow: { xs: 4, sm: 'auto' } }}
        onChange={(event) => onChange({ type: sensorTypes.find((one) => one === event.target.value) ?? 'video' })}
      >
        {sensorTypes.map((type) => (
          <MenuItem key={type} value={type}>
            {texts.sensor.types[type]}
          </MenuItem>
        ))}
      </Field>
      <Field
        label={fields.sensorDescription}
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, gridRow: { xs: 5, sm: 'auto' } }}
        value={sensor.description}
        onChange={(event) => onChange({ description: event.target.value })}
        slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
      />
      <Box sx={{ pt: 5 }}>
        <Action label={fill(texts.sensor.remove, { name: sensor.name })} icon={mdiTrashCanOutline} onClick={onRemove} />
      </Box>
    </Box>
  );
}
