import { Box } from '@mui/material';
import type { CaseRow } from '@osprey/contract';
import { fill, formatNumber, formatTime, plainText } from '../base/format.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { TimeText } from '../ui/TimeText.tsx';
import { Lock, Quiet } from '../ui/table/cells.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

const Name = ({ row }: { row: CaseRow }) => (
  <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={plainText(row.name)}>
    {plainText(row.name)}
  </Box>
);

const Held = ({ row }: { row: CaseRow }) => <Lock on={row.held} text={texts.held} />;

export const caseColumns: readonly Column<CaseRow>[] = [
  { id: 'number', header: names.number, width: 84, sortable: true, fixed: true, cell: (row) => row.number },
  {
    id: 'name',
    header: names.name,
    width: 180,
    grow: 2,
    sortable: true,
    fixed: true,
    cell: (row) => <Name row={row} />,
  },
  {
    ...{ id: 'description', header: names.description, width: 140, grow: 3 },
    cell: (row) => <Quiet text={plainText(row.description)} />,
  },
  {
    ...{ id: 'securityClassification', header: names.securityClassification, width: 132, sortable: true, fixed: true },
    cell: (row) => <LabelMark label={row.securityClassification} marked={row.marked} />,
  },
  { id: 'parts', header: names.parts, width: 64, align: 'right', cell: (row) => formatNumber(row.parts) },
  { id: 'comments', header: names.comments, width: 92, align: 'right', cell: (row) => formatNumber(row.comments) },
  { id: 'held', header: names.held, width: 60, cell: (row) => <Held row={row} /> },
  { id: 'owner', header: names.owner, width: 110, cell: (row) => <Quiet text={plainText(row.owner)} /> },
  {
    id: 'created',
    header: names.created,
    width: 150,
    sortable: true,
    cell: (row) => <TimeText timeUs={row.created} />,
  },
  {
    id: 'changed',
    header: names.changed,
    width: 150,
    sortable: true,
    cell: (row) => <TimeText timeUs={row.changed} />,
  },
];

const NARROW = ['number', 'name', 'securityClassification', 'changed'];
const PHONE = ['name', 'securityClassification'];

export const narrowColumns: readonly Column<CaseRow>[] = caseColumns.filter(({ id }) => NARROW.includes(id));

/** Columns on a phone: number and time are shown below the name. */
export const phoneColumns: readonly Column<CaseRow>[] = narrowColumns
  .filter(({ id }) => PHONE.includes(id))
  .map((column) =>
    column.id === 'name'
      ? {
          ...column,
          width: 120,
          cell: (row) => (
            <>
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
                <Name row={row} />
                <Held row={row} />
              </Box>
              <Box sx={{ ...cut, color: 'text.secondary', fontSize: 12, lineHeight: '16px' }}>
                {fill(texts.number, { number: row.number })} · {formatTime(row.changed)}
              </Box>
            </>
          ),
        }
      : column,
  );
