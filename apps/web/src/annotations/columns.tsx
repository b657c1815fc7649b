import { mdiEyeOffOutline, mdiEyeOutline } from '@mdi/js';
import { Box, Checkbox } from '@mui/material';
import type { AnnotationRow } from '@osprey/contract';
import { fill, formatNumber, formatTime, plainText } from '../base/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { TimeText } from '../ui/TimeText.tsx';
import { Held, Lock, Quiet } from '../ui/table/cells.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { hiddenAnnotations, useHidden } from './hidden.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

const Title = ({ row }: { row: AnnotationRow }) => (
  <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={plainText(row.title)}>
    {plainText(row.title)}
  </Box>
);

function Hide({ row }: { row: AnnotationRow }) {
  const hidden = useHidden();
  return (
    <Checkbox
      size="small"
      icon={<Icon path={mdiEyeOutline} />}
      checkedIcon={<Icon path={mdiEyeOffOutline} />}
      checked={hidden.has(row._id)}
      slotProps={{ input: { 'aria-label': fill(texts.row.hide, { title: plainText(row.title) }) } }}
      onChange={(event) => hiddenAnnotations.set(row._id, event.target.checked)}
    />
  );
}

const Marks = ({ row }: { row: AnnotationRow }) => (
  <>
    <Lock on={row.restricted} text={texts.locked} />
    <Held text={row.heldBy} />
  </>
);

/** All columns, in the order of the specification, with the label next to the lock. */
export const annotationColumns: readonly Column<AnnotationRow>[] = [
  {
    id: 'title',
    header: names.title,
    width: 130,
    grow: 1,
    sortable: true,
    fixed: true,
    cell: (row) => <Title row={row} />,
  },
  {
    id: 'description',
    header: names.description,
    width: 120,
    grow: 2,
    sortable: true,
    cell: (row) => <Quiet text={plainText(row.description)} />,
  },
  {
    id: 'tags',
    header: names.tags,
    width: 110,
    grow: 1,
    sortable: true,
    cell: (row) => <Quiet text={plainText(row.tags.join(', '))} />,
  },
  {
    id: 'geometries',
    header: names.geometries,
    width: 96,
    align: 'right',
    sortable: true,
    cell: (row) => formatNumber(row.geometries),
  },
  {
    id: 'securityClassification',
    priority: 2,
    header: names.label,
    width: 132,
    sortable: true,
    fixed: true,
    cell: (row) => <LabelMark label={row.securityClassification} marked={row.marked} />,
  },
  {
    id: 'restricted',
    header: names.restricted,
    width: 92,
    sortable: true,
    cell: (row) => <Marks row={row} />,
  },
  { id: 'author', header: names.author, width: 96, sortable: true, cell: (row) => plainText(row.author) },
  {
    id: 'creationTime',
    header: names.creationTime,
    width: 150,
    sortable: true,
    cell: (row) => <TimeText timeUs={row.creationTime} />,
  },
  { id: 'hide', header: names.hide, width: 64, fixed: true, cell: (row) => <Hide row={row} /> },
];

const narrowIds = ['title', 'securityClassification', 'hide'];

/** Columns on a phone: author and time are shown below the title. */
export const narrowColumns: readonly Column<AnnotationRow>[] = annotationColumns
  .filter(({ id }) => narrowIds.includes(id))
  .map((column) =>
    column.id === 'title'
      ? {
          ...column,
          width: 110,
          cell: (row) => (
            <>
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
                <Title row={row} />
                <Marks row={row} />
              </Box>
              <Box sx={{ ...cut, color: 'text.secondary', fontSize: 12, lineHeight: '16px' }}>
                {plainText(row.author)}, {formatTime(row.creationTime)}
              </Box>
            </>
          ),
        }
      : column,
  );
