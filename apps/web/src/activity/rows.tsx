import { mdiFilterOutline } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import type { ActivityRow, AuditRow } from '@osprey/contract';
import { clientText } from '../base/client-text.ts';
import { fill, formatTime } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { actionTexts } from './action-texts.ts';
import { texts } from './texts.ts';

const words = texts.columns;

type Row = Pick<ActivityRow, 'time' | 'action' | 'item' | 'itemLabel' | 'address' | 'outcome' | 'result'>;

export const actionText = (action: string): string => actionTexts[action] ?? action;

/** Results that only programmers read: the call, or the ids of a sensor and its file. The audit keeps showing them. */
const TECHNICAL = /^(?:(?:GET|POST|PUT|DELETE|PATCH) \/\S*|sensor [0-9a-f-]{36}(?: file [0-9a-f-]{36})?)$/;

/** What came of it, for people. */
export function resultText({ outcome, result }: Pick<ActivityRow, 'outcome' | 'result'>): string {
  const told = result === null || TECHNICAL.test(result) ? '' : result;
  if (outcome !== 'refused') return told;
  return told === '' ? texts.refused : fill(texts.refusedWhy, { result: told });
}

/** What came of it, as the audit has it. */
const auditResult = ({ outcome, result }: Row): string =>
  outcome === 'refused' ? fill(texts.refusedWhy, { result: result ?? '' }) : (result ?? '');

const Secondary = ({ children }: { children: string }) => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    {children}
  </Box>
);

function Item({ row, onItem }: { row: Row; onItem: (id: string) => void }) {
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

const time: Column<Row> = {
  id: 'time',
  header: words.time,
  width: 160,
  cell: (row) => formatTime(row.time),
};
const label: Column<Row> = {
  id: 'label',
  header: words.label,
  width: 130,
  cell: ({ itemLabel }) => itemLabel && <LabelMark label={itemLabel} />,
};
const address: Column<Row> = { id: 'address', header: words.address, width: 120, cell: (row) => row.address ?? '' };
const resultColumn = (textOf: (row: Row) => string): Column<Row> => ({
  id: 'result',
  header: words.result,
  width: 160,
  grow: 1.5,
  cell: (row) => (
    <Tooltip title={textOf(row)}>
      <span>{textOf(row)}</span>
    </Tooltip>
  ),
});
const object = (onItem: (id: string) => void): Column<Row> => ({
  id: 'object',
  header: words.object,
  width: 170,
  grow: 1,
  cell: (row) => <Item row={row} onItem={onItem} />,
});

const userCell = (username: string | undefined) =>
  username === undefined ? (
    <Secondary>{texts.stranger}</Secondary>
  ) : (
    <Box component="span" sx={{ fontWeight: 600 }}>
      {username}
    </Box>
  );

export const activityColumns = (onItem: (id: string) => void): readonly Column<ActivityRow>[] => [
  time,
  { id: 'user', header: words.user, width: 130, grow: 0.6, cell: ({ user }) => userCell(user?.username) },
  { id: 'action', header: words.action, width: 180, grow: 0.6, cell: ({ action }) => actionText(action) },
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
  resultColumn(resultText),
];

export const auditColumns = (onItem: (id: string) => void): readonly Column<AuditRow>[] => [
  { id: 'number', header: words.number, width: 110, cell: ({ node, seq }) => `${node} ${seq}` },
  time,
  { id: 'user', header: words.user, width: 130, grow: 0.6, cell: ({ actor }) => userCell(actor?.username) },
  { id: 'action', header: words.action, width: 160, grow: 0.6, cell: ({ action }) => action },
  object(onItem),
  label,
  address,
  resultColumn(auditResult),
];

/** On a phone: when, who, what; px. */
const narrowWidths: Readonly<Record<string, number>> = { time: 140, user: 88, action: 120 };

export const narrowColumns = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.flatMap((column) => {
    const width = narrowWidths[column.id];
    return width === undefined ? [] : [{ ...column, width }];
  });
