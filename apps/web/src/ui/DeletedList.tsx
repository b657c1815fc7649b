import { mdiRestore } from '@mdi/js';
import { Box, Button, List, ListItem, ListItemText } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { fill, formatTime, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Icon } from './Icon.tsx';
import { LabelMark } from './label/LabelMark.tsx';

const texts = {
  empty: 'Nothing was deleted in the last 30 days.',
  by: 'Deleted {time}',
  restore: 'Restore {title}',
  restoreShort: 'Restore',
};

export type Deleted = {
  _id: string;
  title: string;
  securityClassification: Classification;
  marked: boolean;
  deletedTime: number | null;
};

type Props<Row extends Deleted> = {
  bin: { data?: readonly Row[] | undefined; error: Error | null };
  /** Error message, in which {text} is replaced by the text of the error. */
  failed: string;
  onRestore: (row: Row) => void;
};

/** List of the rows of a bin, each with a button to restore it. */
export function DeletedList<Row extends Deleted>({ bin, failed, onRestore }: Props<Row>) {
  return (
    <>
      {bin.error && <Box role="alert">{fill(failed, { text: errorText(bin.error) })}</Box>}
      {bin.data?.length === 0 && <Box sx={{ color: 'text.secondary' }}>{texts.empty}</Box>}
      <List disablePadding>
        {bin.data?.map((row) => (
          <ListItem
            key={row._id}
            disableGutters
            divider
            secondaryAction={
              <Button
                startIcon={<Icon path={mdiRestore} />}
                aria-label={fill(texts.restore, { title: plainText(row.title) })}
                onClick={() => onRestore(row)}
              >
                {texts.restoreShort}
              </Button>
            }
          >
            <ListItemText
              primary={
                <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
                  {plainText(row.title)} <LabelMark label={row.securityClassification} marked={row.marked} />
                </Box>
              }
              secondary={fill(texts.by, { time: formatTime(row.deletedTime) })}
            />
          </ListItem>
        ))}
      </List>
    </>
  );
}
