import { mdiRestore } from '@mdi/js';
import { Box, Button, List, ListItem, ListItemText } from '@mui/material';
import { type AnnotationRow, restoreAnnotations } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, formatTime, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import { useAnnotationBin } from './useAnnotations.ts';

const words = texts.bin;

/** What was deleted in the last 30 days, for admins: each can be taken back as it was. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const bin = useAnnotationBin();
  const rows = bin.data ?? [];

  async function restore({ _id, title }: AnnotationRow) {
    try {
      await api.call(restoreAnnotations, { body: { annotations: [_id] } });
      show(fill(texts.restored, { title: plainText(title) }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['annotations'] });
  }

  return (
    <FormDialog
      title={words.title}
      mark={rows.length > 0 && <HighestMark items={rows} />}
      width={560}
      dirty={false}
      onClose={onClose}
      onSubmit={onClose}
      actions={<Button type="submit">{ui.close}</Button>}
    >
      {bin.error && <Box role="alert">{fill(words.failed, { text: errorText(bin.error) })}</Box>}
      {bin.data?.length === 0 && <Box sx={{ color: 'text.secondary' }}>{words.empty}</Box>}
      <List disablePadding>
        {rows.map((row) => (
          <ListItem
            key={row._id}
            disableGutters
            divider
            secondaryAction={
              <Button
                startIcon={<Icon path={mdiRestore} />}
                aria-label={fill(words.restore, { title: plainText(row.title) })}
                onClick={() => void restore(row)}
              >
                {words.restoreShort}
              </Button>
            }
          >
            <ListItemText
              primary={
                <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
                  {plainText(row.title)} <LabelMark label={row.securityClassification} marked={row.marked} />
                </Box>
              }
              secondary={fill(words.by, { time: formatTime(row.deletedTime) })}
            />
          </ListItem>
        ))}
      </List>
    </FormDialog>
  );
}
