import { Box } from '@mui/material';
import type { Clip } from '@osprey/contract';
import { fill, formatClock, formatDuration, plainText } from '../base/format.ts';
import { TimeText } from '../ui/TimeText.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

/** Returns a remark about the state of the clip's frames; null if they can be shown. */
const stateText = ({ cuts }: Clip): string | null => {
  if (cuts.some(({ state }) => state === 'gone')) return texts.goneClip;
  return cuts.some(({ state }) => state === 'waiting') ? texts.waitingClip : null;
};

export const isGone = ({ cuts }: Clip): boolean => cuts.some(({ state }) => state === 'gone');

const Start = ({ row }: { row: Clip }) => {
  const stateLabel = stateText(row);
  return (
    <Box
      component="span"
      title={stateLabel ?? undefined}
      sx={stateLabel ? { color: 'text.secondary', fontStyle: 'italic' } : {}}
    >
      {formatClock(row.startTime)} Z
    </Box>
  );
};

const Text = ({ text, strong = false }: { text: string; strong?: boolean }) => (
  <Box component="span" title={text} sx={{ ...cut, ...(strong ? { fontWeight: 600 } : { color: 'text.secondary' }) }}>
    {text}
  </Box>
);

const authorText = ({ author, editor }: Clip): string =>
  author === editor ? author : fill(texts.editedBy, { author, editor });
const sensorsText = ({ cuts }: Clip): string => cuts.map(({ sensorName }) => plainText(sensorName ?? '–')).join(', ');
const secondsOf = ({ startTime, endTime }: Clip): number => (endTime - startTime) / 1e6;

export const clipColumns: readonly Column<Clip>[] = [
  { id: 'start', header: names.start, width: 104, sortable: true, fixed: true, cell: (row) => <Start row={row} /> },
  {
    ...{ id: 'title', header: names.title, width: 160, grow: 2, sortable: true, fixed: true },
    cell: (row) => <Text text={plainText(row.title)} strong />,
  },
  { id: 'duration', header: names.duration, width: 90, sortable: true, cell: (row) => formatDuration(secondsOf(row)) },
  { id: 'note', header: names.note, width: 140, grow: 3, cell: (row) => <Text text={plainText(row.note)} /> },
  { id: 'sensors', header: names.sensors, width: 110, cell: (row) => <Text text={sensorsText(row)} /> },
  { id: 'tags', header: names.tags, width: 110, cell: (row) => <Text text={row.tags.join(', ')} /> },
  { id: 'author', header: names.author, width: 110, sortable: true, cell: (row) => <Text text={authorText(row)} /> },
  {
    ...{ id: 'created', header: names.created, width: 150, sortable: true },
    cell: (row) => <TimeText timeUs={row.created} />,
  },
];

const PHONE = ['start', 'title', 'duration'];
/** Columns on a narrow screen. */
export const fewColumns: readonly Column<Clip>[] = clipColumns.filter(({ id }) => PHONE.includes(id));

const values: Record<string, (row: Clip) => string | number> = {
  start: ({ startTime }) => startTime,
  title: ({ title }) => title.toLowerCase(),
  duration: secondsOf,
  author: ({ author }) => author.toLowerCase(),
  created: ({ created }) => created,
};
export const orderOf = (column: string) => values[column] ?? values.start!;
