import { Box, ButtonBase, Tooltip } from '@mui/material';
import type { FoundSpan } from '@osprey/contract';
import { useMemo } from 'react';
import { fill, formatCount, formatDate, formatDuration } from '../../base/format.ts';
import { texts } from './texts.ts';

const DAY_US = 86_400_000_000;
/** Maximum number of days in the strip; older periods are only in the list below. */
const STRIP_DAYS = 371;
const CELL_PX = 12;

type Day = { count: number; seconds: number };

/**
 * Shows on which days the place was seen, as far back as the list goes. Each week is a column, with Monday at the top.
 */
export function DayStrip({
  spans,
  onDay,
}: {
  spans: readonly FoundSpan[];
  onDay: (fromUs: number, toUs: number) => void;
}) {
  const days = useMemo(() => daysOf(spans), [spans]);
  const numbers = [...days.keys()];
  if (numbers.length === 0) return null;
  const newest = Math.max(...numbers);
  const oldest = Math.max(Math.min(...numbers), newest - STRIP_DAYS);
  // Align to Monday: day 0, 1 January 1970, was a Thursday.
  const first = oldest - ((oldest + 3) % 7);
  const maximum = Math.max(...[...days.values()].map(({ seconds }) => seconds));
  const cells = Array.from({ length: newest - first + 1 }, (_, at) => first + at);
  const weeks = Math.ceil(cells.length / 7);
  return (
    <Box sx={{ p: 1 }}>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{texts.daysHint}</Box>
      <Box
        role="group"
        aria-label={texts.days}
        sx={{
          display: 'grid',
          gridAutoFlow: 'column',
          gridTemplateRows: `16px repeat(7, ${CELL_PX}px)`,
          gridTemplateColumns: `repeat(${weeks}, ${CELL_PX}px)`,
          gap: '2px',
          overflowX: 'auto',
          pb: 2,
        }}
      >
        {cells.map((number, at) => (
          <Cell
            key={number}
            number={number}
            day={days.get(number) ?? null}
            most={maximum}
            month={at % 7 === 0 && new Date((number * DAY_US) / 1000).getUTCDate() <= 7}
            column={Math.floor(at / 7) + 1}
            row={(at % 7) + 2}
            onDay={onDay}
          />
        ))}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {numbers
          .sort((a, b) => b - a)
          .map((number) => (
            <li key={number}>
              <ButtonBase
                onClick={() => onDay(number * DAY_US, (number + 1) * DAY_US)}
                sx={{
                  width: '100%',
                  justifyContent: 'flex-start',
                  p: 1,
                  borderRadius: 1,
                  fontSize: 13,
                  textAlign: 'left',
                }}
              >
                {dayText(number, days.get(number)!)}
              </ButtonBase>
            </li>
          ))}
      </Box>
    </Box>
  );
}

type CellProps = {
  number: number;
  day: Day | null;
  most: number;
  /** True if the week contains the first Monday of a month; the name of the month is then shown above it. */
  month: boolean;
  column: number;
  row: number;
  onDay: (fromUs: number, toUs: number) => void;
};

function Cell({ number, day, most: maximum, month, column, row, onDay }: CellProps) {
  const place = { gridColumn: column, gridRow: row };
  const name = month && (
    <Box
      component="span"
      sx={{ gridColumn: column, gridRow: 1, fontSize: 10, whiteSpace: 'nowrap', color: 'text.secondary', width: 0 }}
    >
      {formatDate(number * DAY_US).slice(0, 3)}
    </Box>
  );
  if (day === null) {
    return (
      <>
        {name}
        <Box sx={{ ...place, borderRadius: 0.5, bgcolor: 'surface.base' }} />
      </>
    );
  }
  return (
    <>
      {name}
      <Tooltip title={dayText(number, day)}>
        {/* The list below holds the same days for the keyboard and for screen readers. */}
        <Box
          aria-hidden
          onClick={() => onDay(number * DAY_US, (number + 1) * DAY_US)}
          sx={{
            ...place,
            borderRadius: 0.5,
            cursor: 'pointer',
            bgcolor: 'primary.main',
            opacity: 0.35 + 0.65 * (day.seconds / maximum),
          }}
        />
      </Tooltip>
    </>
  );
}

function daysOf(spans: readonly FoundSpan[]): Map<number, Day> {
  const days = new Map<number, Day>();
  for (const { from, to } of spans) {
    for (let number = Math.floor(from / DAY_US); number * DAY_US < to; number += 1) {
      const inDay = Math.min(to, (number + 1) * DAY_US) - Math.max(from, number * DAY_US);
      const before = days.get(number) ?? { count: 0, seconds: 0 };
      days.set(number, { count: before.count + 1, seconds: before.seconds + inDay / 1e6 });
    }
  }
  return days;
}

const dayText = (number: number, { count, seconds }: Day): string =>
  fill(formatCount(count, texts.day), { date: formatDate(number * DAY_US), length: formatDuration(seconds) });
