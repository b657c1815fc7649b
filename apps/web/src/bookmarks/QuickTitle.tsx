import { Box } from '@mui/material';
import { BOOKMARK_TITLE_MAX, type Bookmark } from '@osprey/contract';
import { useRef, useState } from 'react';
import { formatClock } from '../base/format.ts';
import { Field } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';

type Props = { bookmark: Bookmark; onDone: () => void };

/**
 * Field for the title of a bookmark that was just created without a dialog: typing replaces the title, Enter saves the
 * new one, Escape keeps the old one.
 */
export function QuickTitle({ bookmark, onDone }: Props) {
  const { update } = useBookmarkActs();
  const [title, setTitle] = useState(bookmark.title);
  const before = useRef(document.activeElement);
  const isEnded = useRef(false);

  function end(save: boolean) {
    if (isEnded.current) return;
    isEnded.current = true;
    const requested = title.trim();
    if (save && requested !== '' && requested !== bookmark.title) void update(bookmark, { title: requested });
    onDone();
    // Returns the focus, so that the keyboard shortcuts of the view work again.
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  }

  return (
    <Box
      component="form"
      aria-label={texts.quickLabel}
      onSubmit={(event) => {
        event.preventDefault();
        end(true);
      }}
      sx={{
        position: 'fixed',
        zIndex: 'snackbar',
        bottom: { xs: 84, sm: 48 },
        left: '50%',
        transform: 'translateX(-50%)',
        width: 'min(360px, calc(100vw - 16px))',
        p: 3,
        border: 1,
        borderColor: 'surface.lineStrong',
        borderRadius: 2,
        bgcolor: 'surface.raised',
        boxShadow: '0 1px 2px rgb(0 0 0 / 0.28), 0 12px 32px rgb(0 0 0 / 0.36)',
      }}
    >
      <Field
        label={`${texts.quickLabel}, ${formatClock(bookmark.time)} Z`}
        help={texts.quickHelp}
        autoFocus
        value={title}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => end(true)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          end(false);
        }}
        slotProps={{ htmlInput: { maxLength: BOOKMARK_TITLE_MAX } }}
      />
    </Box>
  );
}
