import { Box } from '@mui/material';
import { useEffect, useEffectEvent, useState } from 'react';
import { type DroppedFile, entriesOf, filesOf } from '../../base/dropped-files.ts';
import { fill, namesText } from '../../base/format.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { isAccepted } from '../dialog/files.ts';
import { texts as dialogTexts } from '../dialog/texts.ts';
import { texts } from './texts.ts';

/** More files than this are taken in another gesture. */
export const FILES_MAX = 1000;

/** Dropped or pasted files of the kinds that are taken, and the names of the others. */
export type Taken = { files: DroppedFile[]; refused: { name: string }[]; more: boolean };

type Props = { onTaken: (taken: Taken) => void };

/** Dialogs have drop areas of their own; the shell refuses a drop elsewhere in them. */
const isDialogOpen = () => document.querySelector('.MuiDialog-root') !== null;
const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true;
/** Finds files that operating systems write into folders, which are no recordings. */
const isSystemFile = ({ file }: DroppedFile) =>
  file.name.startsWith('.') || /^(?:thumbs\.db|desktop\.ini)$/i.test(file.name);

/** Takes files and folders that are dropped, or pasted, anywhere on the page. */
export function AddByDrop({ onTaken }: Props) {
  const { show } = useSnackbar();
  const [state, setState] = useState<'over' | 'reading' | null>(null);

  const take = useEffectEvent(async (items: DataTransferItemList) => {
    const entries = entriesOf(items);
    setState('reading');
    const found = await filesOf(entries, FILES_MAX).catch(() => null);
    setState(null);
    if (found === null) return show(texts.unreadable, 'error');
    const files = found.filter((one) => !isSystemFile(one));
    const taken = files.filter(({ file }) => isAccepted(file));
    const refused = files.filter(({ file }) => !isAccepted(file)).map(({ path }) => ({ name: path }));
    if (files.length === 0) return show(texts.empty, 'warning');
    if (taken.length === 0) return show(fill(dialogTexts.sensors.refused, { names: namesText(refused) }), 'warning');
    return onTaken({ files: taken.slice(0, FILES_MAX), refused, more: found.length > FILES_MAX });
  });

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer) || isDialogOpen()) return;
      // Before the shell, which refuses what nobody takes.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setState((now) => now ?? 'over');
    };
    const away = (event: DragEvent) => {
      // Null when the pointer left the page, not when it entered another element.
      if (event.relatedTarget === null) setState((now) => (now === 'over' ? null : now));
    };
    const drop = (event: DragEvent) => {
      setState((now) => (now === 'over' ? null : now));
      if (event.defaultPrevented || !hasFiles(event.dataTransfer) || isDialogOpen()) return;
      event.preventDefault();
      void take(event.dataTransfer.items);
    };
    const paste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isDialogOpen() || !hasFiles(event.clipboardData)) return;
      event.preventDefault();
      void take(event.clipboardData.items);
    };
    const { body } = document;
    body.addEventListener('dragover', over);
    body.addEventListener('dragleave', away);
    body.addEventListener('drop', drop);
    body.addEventListener('paste', paste);
    return () => {
      body.removeEventListener('dragover', over);
      body.removeEventListener('dragleave', away);
      body.removeEventListener('drop', drop);
      body.removeEventListener('paste', paste);
    };
  }, []);

  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        zIndex: 'tooltip',
        pointerEvents: 'none',
        // Between the bars of the page: the label bar is never covered.
        inset: { xs: '64px 8px 30px', sm: '64px 8px 30px 58px' },
        display: state === null ? 'none' : 'grid',
        placeItems: 'center',
        border: 2,
        borderStyle: 'dashed',
        borderColor: 'primary.main',
        borderRadius: 2,
      }}
    >
      {state !== null && (
        <Box sx={{ px: 5, py: 3, border: 1, borderColor: 'primary.main', borderRadius: 2, bgcolor: 'surface.raised' }}>
          {texts[state]}
        </Box>
      )}
    </Box>
  );
}
