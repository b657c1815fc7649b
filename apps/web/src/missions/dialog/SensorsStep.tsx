import { mdiInformationOutline, mdiPlus } from '@mdi/js';
import { Box, Button, Stack, Typography } from '@mui/material';
import { DEFAULT_SENSOR, type Mission } from '@osprey/contract';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { fill } from '../../base/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { isAccepted, isSameFile } from './files.ts';
import type { MissionForm, SensorEntry } from './form.ts';
import { SensorCard } from './SensorCard.tsx';
import { texts } from './texts.ts';

type Props = {
  form: UseFormReturn<MissionForm>;
  mission: Mission | null;
  /** Files to upload, one list for each sensor of the form. */
  files: readonly (readonly File[])[];
  onFiles: (files: File[][]) => void;
};

const words = texts.sensors;

/** Form step for sensors and their files; existing sensors keep name and type. */
export function SensorsStep({ form, mission, files, onFiles }: Props) {
  const { show } = useSnackbar();
  const sensors = useWatch({ control: form.control, name: 'sensors' });
  const set = (next: SensorEntry[]) => form.setValue('sensors', next, { shouldDirty: true });
  const filesOf = (index: number): readonly File[] => files[index] ?? [];
  const setFiles = (index: number, next: readonly File[]) =>
    onFiles(sensors.map((_sensor, at) => [...(at === index ? next : filesOf(at))]));

  function addFiles(index: number, dropped: File[]) {
    const refused = dropped.filter((file) => !isAccepted(file));
    if (refused.length > 0) {
      show(fill(words.refused, { names: refused.map(({ name }) => name).join(', ') }), 'warning');
    }
    const existing = filesOf(index);
    const fresh = dropped.filter((file) => isAccepted(file) && !existing.some((one) => isSameFile(one, file)));
    const duplicate = dropped.find((file) => existing.some((one) => isSameFile(one, file)));
    if (duplicate) show(fill(words.twice, { name: duplicate.name }), 'info');
    setFiles(index, [...existing, ...fresh]);
  }

  function add() {
    const taken = new Set(sensors.map(({ name }) => name));
    let number = sensors.length + 1;
    while (taken.has(`${DEFAULT_SENSOR.name}-${number}`)) number += 1;
    set([...sensors, { ...DEFAULT_SENSOR, id: null, name: `${DEFAULT_SENSOR.name}-${number}` }]);
  }

  return (
    <Stack spacing={3}>
      {sensors.map((sensor, index) => (
        <SensorCard
          // Using the index is safe: sensors of the form are only added and removed, never reordered.
          key={sensor.id ?? `new-${index}`}
          number={index + 1}
          sensor={sensor}
          mission={mission}
          files={filesOf(index)}
          taken={sensors.some((other, at) => at !== index && other.name.trim() === sensor.name.trim())}
          onChange={(changed) => set(sensors.map((one, at) => (at === index ? changed : one)))}
          onTake={(dropped) => addFiles(index, dropped)}
          onDropFile={(file) =>
            setFiles(
              index,
              filesOf(index).filter((one) => one !== file),
            )
          }
          {...(sensor.id === null &&
            sensors.length > 1 && {
              onRemove: () => {
                set(sensors.filter((_one, at) => at !== index));
                onFiles(files.filter((_one, at) => at !== index).map((list) => [...list]));
              },
            })}
        />
      ))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
        <Button startIcon={<Icon path={mdiPlus} />} aria-label={words.addLabel} onClick={add}>
          {words.add}
        </Button>
        <Typography
          variant="caption"
          sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 1.5, color: 'text.secondary' }}
        >
          <Icon path={mdiInformationOutline} fontSize="small" />
          {words.join}
        </Typography>
      </Box>
    </Stack>
  );
}
