import { mdiBookmarkPlus } from '@mdi/js';
import { Fab } from '@mui/material';
import { useContext, useRef } from 'react';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { useSelection } from '../timeline/marks.ts';
import { Icon } from '../ui/Icon.tsx';
import { MarkMenu } from './MarkMenu.tsx';
import { texts } from './texts.ts';

/** Minimum duration of a press, in milliseconds, that counts as holding the button. */
const HOLD_MS = 500;

/**
 * Round button below the picture on a phone. A tap bookmarks the current frame; holding it sets the In point, and
 * holding it again the Out point.
 */
export function MarkButton() {
  const commands = useContext(FeatureCommandsContext);
  const selection = useSelection();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const wasHeld = useRef(false);
  const setsOut = selection !== null && selection.inUs !== null && selection.outUs === null;

  function press() {
    wasHeld.current = false;
    timer.current = setTimeout(() => {
      wasHeld.current = true;
      navigator.vibrate?.(30);
      commands?.run(setsOut ? 'out' : 'in');
    }, HOLD_MS);
  }
  function release() {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  }

  return (
    <>
      {commands && <MarkMenu commands={commands} />}
      <Fab
        color="primary"
        aria-label={texts.mark}
        title={setsOut ? texts.markHoldOut : texts.markHoldIn}
        onPointerDown={press}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        // Prevents the browser's menu from opening while the button is held.
        onContextMenu={(event) => event.preventDefault()}
        onClick={() => {
          if (!wasHeld.current) commands?.run('quickBookmark');
          wasHeld.current = false;
        }}
        sx={{
          width: 44,
          height: 44,
          minHeight: 0,
          boxShadow: 'none',
          flex: 'none',
          touchAction: 'none',
          userSelect: 'none',
        }}
      >
        <Icon path={mdiBookmarkPlus} />
      </Fab>
    </>
  );
}
