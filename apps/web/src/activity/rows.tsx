import { mdiFilterOutline } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import type { ActivityRow, AuditRow } from '@osprey/contract';
import { type ReactNode, useContext } from 'react';
import { clientText } from '../base/client-text.ts';
import { fill, formatClock, formatDate, formatTimeSeconds } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { FeatureTexts } from './action-texts.ts';
import { actionText, detailText, resultText, whoText } from './sentences.ts';
import { texts } from './texts.ts';

const words = texts.columns;

/** Fields that the rows of activity and audit have in common. */
export type TrailRow = Pick<
  ActivityRow,
  'node' | 'seq' | 'time' | 'role' | 'action' | 'item' | 'sensorName' | 'itemLabel' | 'address' | 'outcome' | 'result'
> &
  Partial<Pick<AuditRow, 'reason'>> & {
    /** Stands for so many pictures of a list. */
    pictures?: number;
  };

const Secondary = ({ children }: { children: string }) => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    {children}
  </Box>
);

function Item({ row, onItem }: { row: TrailRow; onItem: (id: string) => void }) {
  const { item } = row;
  if (item === null) return null;
  const name = item.name ?? texts.hiddenItem;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
      <Tooltip title={item._id}>
        <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {item.name === null ? <Secondary>{name}</Secondary> : name}
        </Box>
      </Tooltip>
      <Action label={fill(texts.onlyItem, { name })} icon={mdiFilterOutline} onClick={() => onItem(item._id)} />
    </Box>
  );
}

const time: Column<TrailRow> = {
  id: 'time',
  header: words.time,
  width: 176,
  cell: (row) => formatTimeSeconds(row.time),
};
const label: Column<TrailRow> = {
  id: 'label',
  priority: 2,
  header: words.label,
  width: 130,
  cell: ({ itemLabel }) => itemLabel && <LabelMark label={itemLabel} />,
};
const address: Column<TrailRow> = {
  id: 'address',
  header: words.address,
  width: 120,
  cell: (row) => row.address ?? '',
};
const Detailed = ({ row, children }: { row: TrailRow; children: string }) => (
  <Tooltip title={<Box sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{detailText(row)}</Box>}>
    <span>{children}</span>
  </Tooltip>
);

function ActionCell({ row }: { row: TrailRow }) {
  const ofFeatures = useContext(FeatureTexts);
  const text =
    row.pictures === undefined
      ? actionText(row.action, ofFeatures, row.outcome)
      : fill(texts.pictures, { count: row.pictures });
  return <Detailed row={row}>{text}</Detailed>;
}

/** The tooltips of the columns `result` and `action` contain the codes and ids. */
const result: Column<TrailRow> = {
  id: 'result',
  header: words.result,
  width: 160,
  grow: 1.5,
  cell: (row) => <Detailed row={row}>{resultText(row)}</Detailed>,
};
const action: Column<TrailRow> = {
  id: 'action',
  header: words.action,
  width: 180,
  grow: 0.6,
  cell: (row) => <ActionCell row={row} />,
};
const object = (onItem: (id: string) => void): Column<TrailRow> => ({
  id: 'object',
  header: words.object,
  width: 170,
  grow: 1,
  cell: (row) => <Item row={row} onItem={onItem} />,
});

function userCell(row: TrailRow, user: ActivityRow['user']) {
  const { name, known } = whoText({ ...row, username: user?.username ?? null });
  if (!known) return <Secondary>{name}</Secondary>;
  return (
    <Box component="span" sx={{ fontWeight: 600 }}>
      {name}
    </Box>
  );
}

export const activityColumns = (onItem: (id: string) => void): readonly Column<ActivityRow>[] => [
  time,
  { id: 'user', header: words.user, width: 130, grow: 0.6, cell: (row) => userCell(row, row.user) },
  action,
  object(onItem),
  label,
  address,
  {
    id: 'client',
    header: words.client,
    width: 150,
    grow: 0.8,
    cell: ({ client }) => (
      <Tooltip title={client ?? ''}>
        <span>{clientText(client)}</span>
      </Tooltip>
    ),
  },
  result,
];

/** The process that wrote the row only where it is another than the usual one: each counts for itself. */
const numberText = ({ node, seq }: TrailRow) => (node === 'api' ? String(seq) : `${seq} (${node})`);

export const auditColumns = (onItem: (id: string) => void): readonly Column<AuditRow>[] => [
  { id: 'number', header: words.number, width: 110, cell: numberText },
  time,
  { id: 'user', header: words.user, width: 130, grow: 0.6, cell: (row) => userCell(row, row.actor) },
  action,
  object(onItem),
  label,
  address,
  result,
];

const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** Shows two lines within a row, used on phones. */
const Lines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <Box sx={{ minWidth: 0 }}>
    <Box sx={cut}>{first}</Box>
    <Box sx={{ ...cut, color: 'text.secondary', fontSize: 12, lineHeight: '20px' }}>{second}</Box>
  </Box>
);

/**
 * Returns the columns for a phone: first the time of day above the date; then the action and item above the user and
 * the item's label.
 */
export function narrowColumns<Shown extends TrailRow>(columns: readonly Column<Shown>[]): readonly Column<Shown>[] {
  const user = columns.find(({ id }) => id === 'user');
  return [
    {
      ...time,
      width: 96,
      cell: (row) => <Lines first={formatClock(row.time)} second={formatDate(row.time)} />,
    },
    {
      ...action,
      width: 200,
      grow: 1,
      cell: (row) => (
        <Lines
          first={
            <>
              {action.cell(row)}
              {row.item && (
                <Box component="span" sx={{ fontWeight: 600, ml: 1 }}>
                  {row.item.name ?? texts.hiddenItem}
                </Box>
              )}
            </>
          }
          second={
            <>
              {user?.cell(row)} {label.cell(row)}
            </>
          }
        />
      ),
    },
  ];
}
