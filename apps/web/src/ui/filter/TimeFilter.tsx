import { Box, Button, Stack } from '@mui/material';
import { useState } from 'react';
import { Field } from '../fields/Field.tsx';
import { texts } from '../texts.ts';
import { checkRange, entryOf, type TimeEntry } from './time-range.ts';

type Range = { start: number | null; end: number | null };
type Props = { value: Range; onApply: (range: Range) => void; nowUs?: () => number };

const words = texts.filters;
const HOUR_US = 3_600_000_000;
const presets = [
  { text: words.lastDay, hours: 24 },
  { text: words.lastWeek, hours: 24 * 7 },
  { text: words.lastMonth, hours: 24 * 30 },
] as const;

const wallClock = () => Date.now() * 1000;

/** Filter by a start and an end in UTC, 24-hour format, never in the future. An empty end means until now. */
export function TimeFilter({ value, onApply, nowUs = wallClock }: Props) {
  const [from, setFrom] = useState<TimeEntry>(() => entryOf(value.start));
  const [to, setTo] = useState<TimeEntry>(() => entryOf(value.end));
  const checked = checkRange(from, to, nowUs());
  const today = entryOf(nowUs()).day;

  const row = (legend: string, entry: TimeEntry, change: (entry: TimeEntry) => void, problem: string | null) => (
    <Box role="group" aria-label={legend} sx={{ display: 'grid', gridTemplateColumns: '160px 130px', gap: 2 }}>
      <Field
        label={`${legend}, ${words.date.toLowerCase()}`}
        type="date"
        value={entry.day}
        onChange={(event) => change({ ...entry, day: event.target.value })}
        problem={problem ?? undefined}
        slotProps={{ htmlInput: { max: today } }}
      />
      <Field
        label={words.clock}
        value={entry.clock}
        placeholder="00:00"
        onChange={(event) => change({ ...entry, clock: event.target.value.trim() })}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 5 } }}
      />
    </Box>
  );

  return (
    <Stack
      component="form"
      noValidate
      spacing={3}
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.valid) onApply({ start: checked.start, end: checked.end });
      }}
    >
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap' }}>
        {presets.map(({ text, hours }) => (
          <Button
            key={text}
            onClick={() => onApply({ start: Math.floor((nowUs() - hours * HOUR_US) / 60e6) * 60e6, end: null })}
          >
            {text}
          </Button>
        ))}
      </Stack>
      {row(words.from, from, setFrom, checked.problems.start)}
      {row(words.to, to, setTo, checked.problems.end)}
      <Button
        type="submit"
        variant="contained"
        color="primary"
        disabled={!checked.valid}
        sx={{ alignSelf: 'flex-end' }}
      >
        {words.apply}
      </Button>
    </Stack>
  );
}
