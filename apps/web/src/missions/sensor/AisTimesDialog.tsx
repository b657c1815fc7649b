import { Button, Stack, Typography } from '@mui/material';
import { type Asset, type Mission, readFileAs, type Sensor } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { timeOfText, timeText } from '../../base/time-of.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensor: Sensor; file: Asset; onClose: () => void };
type Times = { start: number; perSecond: number };

const words = texts.aisTimes;

/** Parses the rate; null if the server would not accept it. */
function rateOf(text: string): number | null {
  const rate = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && rate >= 0.001 && rate <= 100_000 ? rate : null;
}

/** Dialog that assigns a start time and a rate to AIS sentences without times. */
export function AisTimesDialog({ mission, sensor, file, onClose }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const known = file.aisTimes;
  const first = { start: timeText(known?.start ?? null), rate: String(known?.perSecond ?? 1) };
  const [form, setForm] = useState(first);
  const [busy, setBusy] = useState(false);
  const start = timeOfText(form.start);
  const perSecond = rateOf(form.rate);

  async function send(ais: Times | null) {
    if (busy) return;
    setBusy(true);
    try {
      const params = { id: sensor._id, fileId: file._id };
      await api.call(readFileAs, { params, body: { klvPid: null, clock: null, ais } });
      show(fill(ais === null ? words.undone : words.done, { file: file.name }), 'success');
      await queries.invalidateQueries({ queryKey: ['missions', 'one'] });
      onClose();
    } catch (error) {
      show(fill(words.failed, { file: file.name, text: errorText(error) }), 'error');
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={fill(words.title, { file: file.name })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      dirty={form.start !== first.start || form.rate !== first.rate}
      onClose={onClose}
      onSubmit={() => start !== null && perSecond !== null && void send({ start, perSecond })}
      aside={
        known && (
          <Button variant="text" disabled={busy} onClick={() => void send(null)}>
            {words.none}
          </Button>
        )
      }
      submitLabel={words.submit}
      canSubmit={start !== null && perSecond !== null && !busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.lead}
        </Typography>
        <Field
          autoFocus
          label={words.start}
          value={form.start}
          help={words.startHelp}
          problem={form.start !== '' && start === null ? words.startProblem : undefined}
          onChange={(event) => setForm({ ...form, start: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 30 } }}
        />
        <Field
          label={words.rate}
          value={form.rate}
          help={words.rateHelp}
          problem={perSecond === null ? words.rateProblem : undefined}
          onChange={(event) => setForm({ ...form, rate: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 12, inputMode: 'decimal' } }}
        />
      </Stack>
    </FormDialog>
  );
}
