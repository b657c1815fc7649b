import { Box, Tooltip } from '@mui/material';
import type { DocumentRow } from '@osprey/contract';
import { formatTime, NONE, plainText } from '../base/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { TimeText } from '../ui/TimeText.tsx';
import { Held, Lock, Quiet } from '../ui/table/cells.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { typeIcons } from './rows.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const line = { display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 } as const;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

/** Cell with the icon of the document type; hovering over it shows the thumbnail. */
function TypeCell({ row, word }: { row: DocumentRow; word: boolean }) {
  const name = texts.types[row.documentType];
  const icon = <Icon path={typeIcons[row.documentType]} sx={{ color: 'text.secondary', display: 'block' }} />;
  const picture = row.thumbnail && (
    <Box
      component="img"
      src={row.thumbnail}
      alt={name}
      sx={{ display: 'block', maxWidth: 240, maxHeight: 200, borderRadius: 1, bgcolor: '#fff' }}
    />
  );
  return (
    <Box sx={line}>
      <Tooltip title={picture ?? name} placement="right" describeChild>
        <Box component="span" {...(!word && { role: 'img', 'aria-label': name })} data-thumbnail={row.thumbnail ?? ''}>
          {icon}
        </Box>
      </Tooltip>
      {word && (
        <Box component="span" sx={cut}>
          {name}
        </Box>
      )}
    </Box>
  );
}

const Label = ({ row }: { row: DocumentRow }) => <LabelMark label={row.securityClassification} marked={row.marked} />;

const Title = ({ row }: { row: DocumentRow }) => (
  <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={plainText(`${row.title} (${row.fileName})`)}>
    {plainText(row.title)}
  </Box>
);

const Marks = ({ row }: { row: DocumentRow }) => (
  <>
    <Lock on={row.restricted} text={texts.locked} />
    <Held text={row.heldBy} />
  </>
);

/** All columns, in the order of the specification, with the label next to the platform. */
export const documentColumns: readonly Column<DocumentRow>[] = [
  {
    id: 'documentType',
    header: names.documentType,
    width: 140,
    sortable: true,
    fixed: true,
    cell: (row) => <TypeCell row={row} word />,
  },
  {
    id: 'title',
    header: names.title,
    width: 116,
    grow: 1,
    sortable: true,
    fixed: true,
    cell: (row) => <Title row={row} />,
  },
  {
    id: 'description',
    header: names.description,
    width: 110,
    grow: 2,
    sortable: true,
    cell: (row) => <Quiet text={plainText(row.description)} />,
  },
  {
    id: 'platformName',
    header: names.platformName,
    width: 90,
    sortable: true,
    cell: (row) => plainText(row.platformName) || NONE,
  },
  {
    id: 'securityClassification',
    priority: 2,
    header: names.securityClassification,
    width: 132,
    sortable: true,
    fixed: true,
    cell: (row) => <Label row={row} />,
  },
  {
    id: 'restricted',
    header: names.restricted,
    width: 60,
    sortable: true,
    cell: (row) => <Marks row={row} />,
  },
  { id: 'author', header: names.author, width: 84, sortable: true, cell: (row) => row.author },
  {
    id: 'creationTime',
    header: names.creationTime,
    width: 150,
    sortable: true,
    cell: (row) => <TimeText timeUs={row.creationTime} />,
  },
];

/** Columns below 960 px: the icon, the title with its author, the label, and the time. */
const narrowIds = ['documentType', 'title', 'securityClassification', 'creationTime'];

export const narrowColumns: readonly Column<DocumentRow>[] = documentColumns
  .filter(({ id }) => narrowIds.includes(id))
  .map((column) =>
    column.id === 'documentType'
      ? { ...column, header: '', width: 44, sortable: false, cell: (row) => <TypeCell row={row} word={false} /> }
      : column,
  );

/** Columns on a phone, where the time is shown below the title. */
export const phoneColumns: readonly Column<DocumentRow>[] = narrowColumns
  .filter(({ id }) => id !== 'creationTime')
  .map((column) =>
    column.id === 'title'
      ? {
          ...column,
          width: 120,
          cell: (row) => (
            <>
              <Box sx={{ ...line, gap: 1 }}>
                <Title row={row} />
                <Marks row={row} />
              </Box>
              <Box sx={{ ...cut, color: 'text.secondary', fontSize: 12, lineHeight: '16px' }}>
                {formatTime(row.creationTime)}
              </Box>
            </>
          ),
        }
      : column,
  );
