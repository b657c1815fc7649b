import { Box, Button, Stack, Typography } from '@mui/material';
import type { Mission, Sensor } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatClockMs, formatDate, NONE } from '../../base/format.ts';
import { microsecondsOf, signedSeconds } from '../../base/seconds.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { texts } from './texts.ts';
import { useShift } from './useShift.ts';

type Props = { mission: Mission; sensor: Sensor; onClose: () => void };

const words = texts.shift;

const timeText = (timeUs: number) => fill(words.time, { date: formatDate(timeUs), clock: formatClockMs(timeUs) });

/** Dialog that shifts the times of a sensor: shows their source, and the resulting start of the recording. */
export function ShiftDialog({ mission, sensor, onClose }: Props) {
  const { name, timeSource, startTime, timeShift } = sensor;
  const first = signedSeconds(timeShift);
  const [seconds, setSeconds] = useState(first);
  const [busy, setBusy] = useState(false);
  const shift = useShift(sensor);
  const us = microsecondsOf(seconds);
  const sourceStart = startTime === null ? null : startTime - timeShift;
  const preview = us === null || sourceStart === null ? NONE : timeText(sourceStart + us);

  async function submit() {
    if (us === null || busy) return;
    if (us === timeShift) return onClose();
    setBusy(true);
    if (await shift(us)) onClose();
    else setBusy(false);
  }

  return (
    <FormDialog
      title={fill(words.title, { name })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      dirty={seconds !== first}
      onClose={onClose}
      onSubmit={() => void submit()}
      aside={
        timeShift !== 0 && (
          <Button variant="text" onClick={() => setSeconds('0')}>
            {words.none}
          </Button>
        )
      }
      submitLabel={words.submit}
      canSubmit={us !== null && !busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.lead}
        </Typography>
        <Facts
          facts={[
            [words.source, timeSource === null ? words.unknownSource : words.sources[timeSource]],
            [words.start, sourceStart === null ? NONE : timeText(sourceStart)],
            [words.now, fill(words.secondsValue, { seconds: first })],
          ]}
        />
        <Field
          autoFocus
          label={words.seconds}
          value={seconds}
          help={words.help}
          problem={us === null ? words.problem : undefined}
          onChange={(event) => setSeconds(event.target.value)}
          onFocus={(event) => event.target.select()}
          slotProps={{ htmlInput: { maxLength: 20, inputMode: 'decimal' } }}
        />
        <Box aria-live="polite">
          <Facts facts={[[words.preview, preview]]} />
        </Box>
      </Stack>
    </FormDialog>
  );
}

/** Definition list of names and values. */
function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'minmax(0, 140px) 1fr', gap: 1.5 }}>
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0 }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
