import { Box } from '@mui/material';
import { useEffect, useEffectEvent, useState } from 'react';

type Props = {
  /** Text shown while files are dragged over the page: the effect of dropping them. */
  over: string;
  /** Text shown while dropped files are being read; null if none are. */
  reading?: string | null;
  /**
   * Called with the dropped items. They must be read before the first await, since the browser then empties the list.
   */
  onItems: (items: DataTransferItemList) => void;
};

/** Dialogs have their own drop areas; a drop elsewhere in a dialog is refused by the shell. */
const isDialogOpen = () => document.querySelector('.MuiDialog-root') !== null;
const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true;

/** Accepts files and folders that are dropped or pasted anywhere on the page. */
export function PageDrop({ over, reading = null, onItems }: Props) {
  const [isOver, setOver] = useState(false);
  const handleItems = useEffectEvent(onItems);

  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer) || isDialogOpen()) return;
      // Runs before the handler of the shell, which refuses drops that nobody accepts.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const away = (event: DragEvent) => {
      // Null when the pointer left the page; not null when it only entered another element.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event.dataTransfer) || isDialogOpen()) return;
      event.preventDefault();
      handleItems(event.dataTransfer.items);
    };
    const paste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isDialogOpen() || !hasFiles(event.clipboardData)) return;
      event.preventDefault();
      handleItems(event.clipboardData.items);
    };
    const { body } = document;
    body.addEventListener('dragover', enter);
    body.addEventListener('dragleave', away);
    body.addEventListener('drop', drop);
    body.addEventListener('paste', paste);
    return () => {
      body.removeEventListener('dragover', enter);
      body.removeEventListener('dragleave', away);
      body.removeEventListener('drop', drop);
      body.removeEventListener('paste', paste);
    };
  }, []);

  const text = reading ?? (isOver ? over : null);
  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        zIndex: 'tooltip',
        pointerEvents: 'none',
        // Within the bars of the page, so that the label bar is never covered.
        inset: { xs: '64px 8px 30px', sm: '64px 8px 30px 58px' },
        display: text === null ? 'none' : 'grid',
        placeItems: 'center',
        border: 2,
        borderStyle: 'dashed',
        borderColor: 'primary.main',
        borderRadius: 2,
      }}
    >
      {text !== null && (
        <Box sx={{ px: 5, py: 3, border: 1, borderColor: 'primary.main', borderRadius: 2, bgcolor: 'surface.raised' }}>
          {text}
        </Box>
      )}
    </Box>
  );
}
