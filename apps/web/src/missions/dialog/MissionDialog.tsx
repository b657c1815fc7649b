import { mdiArrowLeft, mdiCheckCircleOutline } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import { type Mission, newMissionForm } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useMissionNameTaken } from '../../api/useMissionNameTaken.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, formatCount } from '../../base/format.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { useUploads } from '../../uploads/upload-store.ts';
import { RenameDialog } from '../rename/RenameDialog.tsx';
import { useMission } from '../useMissions.ts';
import { isOnItsWay } from './files.ts';
import { atNewestRevision, formOf, type MissionForm, newForm, nextName } from './form.ts';
import { GeneralStep } from './GeneralStep.tsx';
import { PresentationStep } from './PresentationStep.tsx';
import { sensorNameProblem } from './SensorCard.tsx';
import { SensorsStep } from './SensorsStep.tsx';
import { Steps, steps } from './Steps.tsx';
import { texts } from './texts.ts';
import { useOffers } from './useOffers.ts';
import { useSaveMission } from './useSaveMission.ts';
import { useSharing } from './useSharing.ts';

type Props = {
  /** The mission to edit; null for a new one. */
  mission: Mission | null;
  /** Called when a new mission was made. */
  onCreated?: (mission: Mission) => void;
  /** Called when the user opens the new mission. */
  onOpen?: (mission: Mission) => void;
  onClose: () => void;
};

const WIDTH = 1000;
const PRESENTATION = 1;
const SENSORS = 2;
const noFiles: File[][] = [];

function sensorsHint(sensors: number, files: number): string {
  const { hints } = texts.steps;
  return fill(hints.sensors, {
    sensors: formatCount(sensors, hints.sensorCount),
    files: formatCount(files, hints.fileCount),
  });
}

/** Returns the number of files of a mission: those on the server, and those still being uploaded. */
function useFilesOf(mission: Mission | null): number {
  const uploads = useUploads();
  const counts = mission?.sensors.map(
    ({ _id, assets }) => assets.length + uploads.filter((item) => isOnItsWay(item, _id)).length,
  );
  return counts?.reduce((sum, count) => sum + count, 0) ?? 0;
}

/** Dialog with three steps: General, Presentation (may be skipped) and Sensors; then Create or Update. */
export function MissionDialog(props: Props) {
  const groups = useUsergroups();
  // Waits for the user groups, since the default values depend on them: the group Demo is ticked initially.
  if (props.mission === null && groups.length === 0) return null;
  return <Dialog {...props} />;
}

function Dialog({ mission, onCreated, onOpen, onClose }: Props) {
  const groups = useUsergroups();
  const editing = mission !== null;
  const form = useForm<MissionForm>({ defaultValues: editing ? formOf(mission) : newForm(groups), mode: 'onChange' });
  const [step, setStep] = useState(0);
  const [files, setFiles] = useState<File[][]>(noFiles);
  // Defaults taken from the user's last mission are not replaced by values from the files.
  const [hasDefaults] = useState(() => !editing && form.getValues('name') === newMissionForm.name);
  useOffers(form, files, hasDefaults);
  const [saving, setSaving] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const sharing = useSharing(form, mission);
  const { data: newest = mission } = useMission(mission?._id ?? null);
  const save = useSaveMission(mission && newest && atNewestRevision(mission, newest, groups), groups, onOpen);
  const [name, label, sensors] = form.watch(['name', 'label', 'sensors']);
  const newName = newest?.name;
  useEffect(() => {
    if (newName !== undefined) form.resetField('name', { defaultValue: newName });
  }, [newName, form]);
  const nameTaken = useMissionNameTaken(name, !editing);
  const isOffered = form.formState.dirtyFields.name !== true;
  useEffect(() => {
    // Only a suggested name is replaced by the next free one; a typed name is not.
    if (nameTaken && isOffered) form.resetField('name', { defaultValue: nextName(name) });
  }, [nameTaken, isOffered, name, form]);

  const badSensor = sensors.some((sensor, index) => {
    const taken = sensors.some((other, at) => at !== index && other.name.trim() === sensor.name.trim());
    return sensorNameProblem(sensor.name, taken) !== null;
  });
  const hasFirstFile = (files[0] ?? []).length > 0;
  const fileCount = files.reduce((sum, list) => sum + list.length, 0);
  const existing = useFilesOf(newest);
  const ready = !badSensor && sharing.problem === null && !nameTaken && (editing || hasFirstFile);

  async function goTo(next: number) {
    // Going back is always allowed; going forward requires valid entries.
    if (next > step) {
      if (step === 0 && !(await isGeneralRight())) return;
      if (next > SENSORS && badSensor) return;
    }
    setStep(next);
  }

  async function isGeneralRight(): Promise<boolean> {
    const right = await form.trigger(['name', 'description', 'reason'], { shouldFocus: true });
    return right && !nameTaken && sharing.problem === null;
  }

  async function submit() {
    if (step < SENSORS && !editing) return goTo(step + 1);
    if (!(await isGeneralRight())) return setStep(0);
    if (!ready || saving) return;
    setSaving(true);
    const saved = await save(form.getValues(), files);
    setSaving(false);
    if (saved === null) return;
    if (!editing) onCreated?.(saved);
    onClose();
  }

  const hints = [texts.steps.hints.general, texts.steps.optional, sensorsHint(sensors.length, existing + fileCount)];
  return (
    <FormDialog
      title={editing ? texts.edit : texts.create}
      mark={
        <>
          <Box
            component="span"
            sx={{
              // Hidden on a phone, which has no room for it next to the title and the label.
              display: { xs: 'none', sm: 'block' },
              fontWeight: 400,
              color: 'text.secondary',
              minWidth: 0,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {name}
          </Box>
          <LabelMark label={label} marked={mission?.marked ?? true} />
        </>
      }
      width={WIDTH}
      dirty={form.formState.isDirty || fileCount > 0}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          {step > 0 && (
            <Button variant="text" startIcon={<Icon path={mdiArrowLeft} />} onClick={() => void goTo(step - 1)}>
              {texts.back}
            </Button>
          )}
          <Box sx={{ flex: 1 }} />
          <Typography variant="caption" sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'block' } }}>
            {step >= SENSORS && !editing && !hasFirstFile && texts.needsFile}
            {step >= SENSORS && fileCount > 0 && texts.goesOn}
          </Typography>
          <Button onClick={onClose}>{ui.cancel}</Button>
          {step === PRESENTATION && <Button onClick={() => void goTo(SENSORS)}>{texts.skip}</Button>}
          {step <= SENSORS && (
            <Button
              // The submit button is the one that Enter in a field activates.
              {...(step < SENSORS && !editing
                ? ({ type: 'submit', variant: 'contained', color: 'primary' } as const)
                : { onClick: () => void goTo(step + 1) })}
            >
              {texts.next}
            </Button>
          )}
          {(editing || step >= SENSORS) && (
            <Button type="submit" variant="contained" color="primary" disabled={!ready || saving}>
              {editing ? texts.submitUpdate : texts.submitCreate}
            </Button>
          )}
        </>
      }
    >
      <Steps current={step} hints={hints} onStep={(next) => void goTo(next)} />
      {step === 0 && (
        <GeneralStep
          form={form}
          editing={editing}
          marked={mission?.marked ?? true}
          rated={mission?.state !== 'Running'}
          nameTaken={nameTaken}
          sharing={sharing}
          onRename={newest && (() => setRenaming(true))}
        />
      )}
      {step === PRESENTATION && <PresentationStep form={form} />}
      {step === SENSORS && <SensorsStep form={form} mission={newest} files={files} onFiles={setFiles} />}
      {renaming && newest && <RenameDialog mission={newest} onClose={() => setRenaming(false)} />}
      {step === steps.length && <Notice icon={mdiCheckCircleOutline} title={texts.done} />}
    </FormDialog>
  );
}
