import { Box, Button, MenuItem, Typography } from '@mui/material';
import { type CaseRow, CLIP_TITLE_MAX, type Clip, type Mission, type Sensor } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatDuration } from '../base/format.ts';
import { CaseField } from '../cases/add/CaseField.tsx';
import { LockOutQuestion } from '../cases/add/LockOutQuestion.tsx';
import { type LockOut, useAddParts } from '../cases/add/useAddParts.ts';
import { CaseDialog } from '../cases/CaseDialog.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { clipTitle } from './clip-title.ts';
import { collectedClips } from './collected.ts';
import { SpanFields } from './SpanFields.tsx';
import { texts } from './texts.ts';
import { useClipActs } from './useClipActs.ts';
import { useSpanFields } from './useSpanFields.ts';

type Props = {
  mission: Mission;
  sensors: readonly Sensor[];
  /** The leading sensor, and the selected span. An In or Out that is not set is the start or end of the mission. */
  sensorId: string;
  inUs: number | null;
  outUs: number | null;
  /** End of the playable time, for a mission that is being recorded. */
  endUs: number;
  onClose: () => void;
};

const words = texts.toCase;

/** Dialog that keeps a span of a sensor as a clip and adds it to a case. */
export function ClipToCaseDialog({ mission, sensors, sensorId, inUs, outUs, endUs, onClose }: Props) {
  const videos = sensors.filter(({ type }) => type === 'video');
  const [chosenSensor, setChosenSensor] = useState(sensorId);
  const span = useSpanFields({ mission, inUs, outUs, endUs });
  const { from, to } = span;
  /** The title that was typed; null: the one made from mission and In. */
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<CaseRow | null>(null);
  const [saving, setSaving] = useState(false);
  const [lockOut, setLockOut] = useState<LockOut | null>(null);
  const [beginning, setBeginning] = useState<Clip | null>(null);
  /** The clip that was kept before the case refused it, and from which entries: it is not kept twice. */
  const [kept, setKept] = useState<{ key: string; clip: Clip } | null>(null);
  const { keep } = useClipActs();
  const { add } = useAddParts();
  const title = typed ?? clipTitle(mission, from);
  const isOrdered = from !== null && to !== null && from < to;
  const isReady = isOrdered && title.trim() !== '' && !saving;

  async function keptClip(): Promise<Clip | null> {
    if (!isOrdered) return null;
    const asked = { missionId: mission._id, sensorId: chosenSensor, inUs: from, outUs: to };
    const key = JSON.stringify([asked, title]);
    if (kept?.key === key) return kept.clip;
    const clip = await keep(asked, { title: title.trim(), note: '', tags: [] });
    if (clip !== null) setKept({ key, clip });
    return clip;
  }

  async function submit(agreed = false) {
    if (chosen === null || !isReady) return;
    setSaving(true);
    const clip = await keptClip();
    const outcome = clip === null ? 'failed' : await add(chosen, collectedClips([clip], mission).parts, agreed);
    setSaving(false);
    setLockOut(null);
    if (outcome === 'done') onClose();
    else if (outcome !== 'failed') setLockOut(outcome.lockOut);
  }

  async function begin() {
    if (!isReady) return;
    setSaving(true);
    const clip = await keptClip();
    setSaving(false);
    setBeginning(clip);
  }

  if (beginning) {
    return (
      <CaseDialog row={null} collected={collectedClips([beginning], mission)} onClose={onClose} onSaved={onClose} />
    );
  }
  return (
    <>
      <FormDialog
        title={words.title}
        mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
        width={520}
        dirty={typed !== null}
        onClose={onClose}
        onSubmit={() => void submit()}
        aside={
          <Button disabled={!isReady} onClick={() => void begin()}>
            {words.create}
          </Button>
        }
        submitLabel={words.submit}
        canSubmit={chosen !== null && isReady}
      >
        <Box sx={{ display: 'grid', gap: 4 }}>
          <CaseField value={chosen} onChange={setChosen} />
          <SpanFields span={span} />
          <Typography role="status" variant="body2" sx={{ color: 'text.secondary' }}>
            {isOrdered ? fill(words.length, { length: formatDuration((to - from) / 1e6) }) : words.noLength}
          </Typography>
          {videos.length > 1 && (
            <Field
              select
              label={texts.sensor}
              value={chosenSensor}
              onChange={(event) => setChosenSensor(event.target.value)}
            >
              {videos.map(({ _id, name }) => (
                <MenuItem key={_id} value={_id}>
                  {name}
                </MenuItem>
              ))}
            </Field>
          )}
          <Field
            label={texts.titleField}
            value={title}
            onChange={(event) => setTyped(event.target.value)}
            problem={title.trim() === '' ? texts.emptyTitle : undefined}
            slotProps={{ htmlInput: { maxLength: CLIP_TITLE_MAX } }}
          />
        </Box>
      </FormDialog>
      {lockOut && chosen && (
        <LockOutQuestion
          number={chosen.number}
          lockOut={lockOut}
          busy={saving}
          onCancel={() => setLockOut(null)}
          onConfirm={() => void submit(true)}
        />
      )}
    </>
  );
}
