import { Box } from '@mui/material';
import type { Backup } from '@osprey/contract';
import { fill, formatCount, formatLocalTime, formatNumber, formatSize, formatTime, NONE } from '../base/format.ts';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import type { Column, Sorting } from '../ui/table/data-table.ts';
import { texts } from './texts.ts';

const dots: Record<Backup['state'], DotState> = {
  waiting: 'unknown',
  running: 'working',
  unverified: 'offline',
  verifying: 'working',
  verified: 'online',
  incomplete: 'partial',
  failed: 'failed',
  deleting: 'working',
};

function State({ backup: { state, progress, error, damaged } }: { backup: Backup }) {
  const word =
    state === 'incomplete' ? `${texts.states[state]}: ${formatCount(damaged, texts.incomplete)}` : texts.states[state];
  const text =
    progress === null || state === 'waiting'
      ? word
      : fill(texts.progress, { state: word, percent: Math.round(progress) });
  return (
    <Box component="span" title={error ?? undefined} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {error === null ? text : `${word}: ${error}`}
    </Box>
  );
}

/** Name after the shape of its state, since a phone has no room for the column of states. */
function Name({ backup: { name, state } }: { backup: Backup }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
      <Box
        component="span"
        role="img"
        aria-label={texts.states[state]}
        title={texts.states[state]}
        sx={{ flex: 'none' }}
      >
        <StateDot state={dots[state]} />
      </Box>
      <Box component="strong" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {name}
      </Box>
    </Box>
  );
}

/**
 * Number of files that this backup read. Files whose size and time are unchanged are taken from an earlier backup, except
 * for a random share that is read again.
 */
function FilesRead({ backup: { files, unchanged } }: { backup: Backup }) {
  if (files === null || unchanged === null) return NONE;
  const [read, again, all] = [files - unchanged.files + unchanged.read, unchanged.read, unchanged.files].map((count) =>
    formatNumber(count),
  );
  return (
    <span title={fill(texts.readHint, { unchanged: all!, again: again! })}>
      {fill(texts.read, { read: read!, files: formatNumber(files) })}
    </span>
  );
}

const originOf = ({ origin }: Backup) => texts.origins[origin];

export const columns: readonly Column<Backup>[] = [
  {
    id: 'name',
    header: texts.columns.name,
    width: 210,
    grow: 1,
    sortable: true,
    fixed: true,
    cell: (backup) => <Name backup={backup} />,
  },
  {
    id: 'state',
    header: texts.columns.state,
    width: 190,
    grow: 2,
    cell: (backup) => <State backup={backup} />,
  },
  {
    id: 'created',
    header: texts.columns.created,
    width: 170,
    sortable: true,
    cell: ({ created }) => <span title={formatLocalTime(created)}>{formatTime(created)}</span>,
  },
  {
    id: 'origin',
    header: texts.columns.origin,
    width: 130,
    sortable: true,
    cell: originOf,
  },
  {
    id: 'size',
    header: texts.columns.size,
    width: 170,
    align: 'right',
    sortable: true,
    cell: ({ sizeBytes, newBytes }) =>
      sizeBytes === null ? NONE : fill(texts.added, { size: formatSize(sizeBytes), added: formatSize(newBytes ?? 0) }),
  },
  {
    id: 'content',
    header: texts.columns.content,
    width: 180,
    cell: ({ rows, files }) =>
      rows === null ? NONE : fill(texts.content, { rows: formatNumber(rows), files: formatNumber(files ?? 0) }),
  },
  {
    id: 'read',
    header: texts.columns.read,
    width: 150,
    align: 'right',
    cell: (backup) => <FilesRead backup={backup} />,
  },
  {
    id: 'verified',
    header: texts.columns.verified,
    width: 160,
    sortable: true,
    cell: ({ verified }) => formatTime(verified),
  },
];

const values: Record<string, (backup: Backup) => number | string> = {
  name: ({ name }) => name,
  created: ({ created }) => created,
  origin: originOf,
  size: ({ sizeBytes }) => sizeBytes ?? -1,
  verified: ({ verified }) => verified ?? -1,
};

/** Sorts the backups in the client, since the server returns the whole list, which is short. */
export function sorted(backups: readonly Backup[], { column, descending }: Sorting): Backup[] {
  const value = values[column] ?? (() => 0);
  const direction = descending ? -1 : 1;
  return backups.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    return left === right ? 0 : left < right ? -direction : direction;
  });
}
