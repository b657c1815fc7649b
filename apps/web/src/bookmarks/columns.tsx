import { Box, Chip } from '@mui/material';
import type { Bookmark } from '@osprey/contract';
import { fill, formatClock, formatTime, plainText } from '../base/format.ts';
import { TimeText } from '../ui/TimeText.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

/** Height of a row in pixels, which fits a 16:9 picture. */
export const ROW_PX = 48;

export const Picture = ({ row, width = 72 }: { row: Bookmark; width?: number }) => (
  <Box
    sx={{
      width,
      aspectRatio: '16 / 9',
      flex: 'none',
      borderRadius: 1,
      overflow: 'hidden',
      bgcolor: 'surface.base',
      borderLeft: 3,
    }}
    style={{ borderColor: row.color }}
  >
    {row.thumbnailUrl !== null && (
      <Box
        component="img"
        src={row.thumbnailUrl}
        alt=""
        loading="lazy"
        sx={{ display: 'block', width: '100%', height: '100%', objectFit: 'cover' }}
      />
    )}
  </Box>
);

/** Returns a remark about the state of the bookmark's frame; null if the frame can be shown. */
export const stateText = ({ state }: Bookmark): string | null =>
  state === 'gone' ? texts.goneMark : state === 'waiting' ? texts.waitingMark : null;

const Time = ({ row }: { row: Bookmark }) => {
  const stateLabel = stateText(row);
  return (
    <Box
      component="span"
      title={stateLabel ?? undefined}
      sx={stateLabel ? { color: 'text.secondary', fontStyle: 'italic' } : {}}
    >
      {formatClock(row.time)} Z
    </Box>
  );
};

const Title = ({ row }: { row: Bookmark }) => (
  <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={plainText(row.title)}>
    {plainText(row.title)}
  </Box>
);

const Quiet = ({ text }: { text: string }) => (
  <Box component="span" title={text} sx={{ ...cut, color: 'text.secondary' }}>
    {text}
  </Box>
);

const Tags = ({ row }: { row: Bookmark }) => (
  <Box sx={{ display: 'flex', gap: 1, overflow: 'hidden' }} title={row.tags.join(', ')}>
    {row.tags.map((tag) => (
      <Chip key={tag} label={tag} sx={{ height: 20 }} />
    ))}
  </Box>
);

export const authorText = ({ author, editor }: Bookmark): string =>
  author === editor ? author : fill(texts.editedBy, { author, editor });

export const bookmarkColumns: readonly Column<Bookmark>[] = [
  { id: 'picture', header: names.picture, width: 92, cell: (row) => <Picture row={row} /> },
  { id: 'time', header: names.time, width: 104, sortable: true, fixed: true, cell: (row) => <Time row={row} /> },
  {
    id: 'title',
    header: names.title,
    width: 160,
    grow: 2,
    sortable: true,
    fixed: true,
    cell: (row) => <Title row={row} />,
  },
  { id: 'text', header: names.text, width: 140, grow: 3, cell: (row) => <Quiet text={plainText(row.text)} /> },
  {
    id: 'sensor',
    header: names.sensor,
    width: 96,
    sortable: true,
    cell: (row) => <Quiet text={plainText(row.sensorName ?? '')} />,
  },
  { id: 'tags', header: names.tags, width: 110, grow: 1, cell: (row) => <Tags row={row} /> },
  { id: 'author', header: names.author, width: 110, sortable: true, cell: (row) => <Quiet text={authorText(row)} /> },
  {
    id: 'created',
    header: names.created,
    width: 150,
    sortable: true,
    cell: (row) => <TimeText timeUs={row.created} />,
  },
];

/** Columns of the dialog, which is narrower than the panel. */
export const dialogColumns: readonly Column<Bookmark>[] = bookmarkColumns.filter(({ id }) =>
  ['picture', 'time', 'title', 'sensor', 'author'].includes(id),
);

const values: Record<string, (row: Bookmark) => string | number> = {
  time: ({ time }) => time,
  title: ({ title }) => title.toLowerCase(),
  sensor: ({ sensorName }) => sensorName ?? '',
  author: ({ author }) => author.toLowerCase(),
  created: ({ created }) => created,
};
export const orderOf = (column: string) => values[column] ?? values.time!;

/** Whether every word of the search occurs in one of the bookmark's texts. */
export function matches(row: Bookmark, search: string): boolean {
  const all = [row.title, row.text, row.author, row.editor, row.sensorName ?? '', ...row.tags, formatTime(row.time)];
  const text = all.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
