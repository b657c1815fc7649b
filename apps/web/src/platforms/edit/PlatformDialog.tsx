import { mdiPlus } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import {
  type Classification,
  getPlatformConfig,
  type LivePlatform,
  type PlatformConfig,
  REASON_MIN,
  type ReadPlatform,
  type Usergroup,
} from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { isWidened, managedShareText } from '../../ui/fields/sharing.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { PlatformFields, Section } from './PlatformFields.tsx';
import {
  configOf,
  formOf,
  newForm,
  type PlatformForm,
  problemsOf,
  type SensorForm,
  withSensor,
} from './platform-form.ts';
import { SensorFields } from './SensorFields.tsx';
import { texts } from './texts.ts';
import { useSavePlatform } from './useSavePlatform.ts';

const WIDTH = 880;
const FIRST_WRONG = '[aria-invalid="true"]';

/** Dialog that adds a platform, or changes one with all its sensors. */
export function PlatformDialog({ platform, onClose }: { platform: LivePlatform | null; onClose: () => void }) {
  const api = useApi();
  const groups = useUsergroups();
  const id = platform?._id;
  const config = useQuery({
    queryKey: ['platforms', 'config', id],
    queryFn: ({ signal }) => api.call(getPlatformConfig, { params: { id: id! } }, { signal }),
    enabled: id !== undefined,
    // The form is filled only once, since later changes on the server must not overwrite typed values.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (config.error !== null) return <Unreadable text={errorText(config.error)} onClose={onClose} />;
  // Waits for the user groups, since those of a platform are shown by name.
  if (groups.length === 0 || (platform !== null && config.data === undefined)) return null;
  return (
    <Form stored={platform === null ? null : storedOf(platform, config.data!)} groups={groups} onClose={onClose} />
  );
}

type Before = { id: string; revision: string; config: PlatformConfig; shown: Classification };

function storedOf(platform: LivePlatform, { revision, ...config }: ReadPlatform): Before {
  return { id: platform._id, revision, config, shown: platform.securityClassification };
}

/** A sensor of the form has the number of its place in the saved configuration as key. */
function storedSensor(before: Before | null, key: number) {
  const name = before?.config.sensors[key - 1]?.name;
  return before === null || name === undefined ? null : { platform: before.id, sensor: name };
}

type FormProps = { stored: Before | null; groups: readonly Usergroup[]; onClose: () => void };

function Form({ stored, groups, onClose }: FormProps) {
  const actor = useActor();
  // State when the form was filled, since saving must not revert later changes by another user.
  const [before] = useState(stored);
  const [first] = useState(() => (before === null ? newForm() : formOf(before.config, before.shown, groups)));
  const [form, setForm] = useState(first);
  const [tried, setTried] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const { save, busy } = useSavePlatform(before);
  const change = (part: Partial<PlatformForm>) => setForm((current) => ({ ...current, ...part }));
  const changeSensor = (key: number, part: Partial<SensorForm>) =>
    setForm((current) => ({
      ...current,
      sensors: current.sensors.map((sensor) => (sensor.key === key ? { ...sensor, ...part } : sensor)),
    }));

  const config = configOf(form, before, groups);
  const problems = problemsOf(config);
  const sharing = JSON.stringify([form.label, form.everyone, form.usergroups]);
  const isShared = before === null || sharing !== JSON.stringify([first.label, first.everyone, first.usergroups]);
  const sharingProblem = isShared ? managedShareText(actor, form, groups) : null;
  const needsReason =
    before !== null &&
    isWidened(
      { securityClassification: first.label, audience: before.config.audience, usergroups: first.usergroups },
      form,
      groups,
    );
  const reasonMissing = needsReason && form.reason.trim().length < REASON_MIN;
  const isWrong = problems.size > 0 || sharingProblem !== null || reasonMissing;
  const problemOf = (path: string): string | undefined => {
    if (!tried) return undefined;
    return path === 'reason' && reasonMissing ? texts.help.reason : problems.get(path);
  };

  async function submit() {
    setTried(true);
    // The fields are marked as invalid only after the next render, so the first of them is focused after that.
    if (isWrong) requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>(FIRST_WRONG)?.focus());
    if (isWrong || busy) return;
    if (await save(config, needsReason ? form.reason.trim() : null)) onClose();
  }

  return (
    <FormDialog
      title={before === null ? texts.newTitle : texts.editTitle}
      mark={<LabelMark label={form.label} />}
      width={WIDTH}
      dirty={JSON.stringify(form) !== JSON.stringify(first)}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={before === null ? texts.create : texts.save}
      canSubmit={!busy}
    >
      <Box ref={fields} sx={{ display: 'grid', gap: 6 }}>
        <Section title={texts.sections.sensors}>
          {form.sensors.length === 0 && (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {texts.help.noSensors}
            </Typography>
          )}
          {form.sensors.map((sensor, index) => (
            <SensorFields
              key={sensor.key}
              number={index + 1}
              sensor={sensor}
              problemOf={(field) => problemOf(`sensors.${index}.${field}`)}
              onChange={(part) => changeSensor(sensor.key, part)}
              stored={storedSensor(before, sensor.key)}
              onName={(name) => setForm((current) => (current.name.trim() === '' ? { ...current, name } : current))}
              onRemove={() => change({ sensors: form.sensors.filter(({ key }) => key !== sensor.key) })}
            />
          ))}
          <Box>
            <Button
              startIcon={<Icon path={mdiPlus} />}
              aria-label={texts.sensor.addLabel}
              onClick={() => setForm(withSensor)}
            >
              {texts.sensor.add}
            </Button>
          </Box>
        </Section>
        <PlatformFields
          form={form}
          onChange={change}
          groups={groups}
          problemOf={problemOf}
          sharingProblem={tried || isShared === (before !== null) ? (sharingProblem ?? undefined) : undefined}
          needsReason={needsReason}
        />
      </Box>
    </FormDialog>
  );
}

function Unreadable({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <FormDialog
      title={texts.failedRead}
      dirty={false}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" variant="contained" color="primary">
          {ui.close}
        </Button>
      }
    >
      <Typography role="alert">{text}</Typography>
    </FormDialog>
  );
}
