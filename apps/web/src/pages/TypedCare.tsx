import { useEffect } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router';
import { useSession } from '../api/session.ts';
import { losesTyped, useSomethingTyped } from '../ui/dialog/typed.ts';
import { later } from '../ui/later.tsx';
import { texts } from '../ui/texts.ts';

const ConfirmDialog = later(async () => (await import('../ui/dialog/ConfirmDialog.tsx')).ConfirmDialog);
const SessionEnded = later(async () => (await import('./SessionEnded.tsx')).SessionEnded);

const isLoss: BlockerFunction = ({ currentLocation, nextLocation }) => losesTyped(currentLocation, nextLocation);

/** Typed text outlasts Back, a reload and the end of the session, unless the user says that it may go. */
export function TypedCare() {
  const { ended } = useSession();
  const typed = useSomethingTyped();
  const blocker = useBlocker(isLoss);

  useEffect(() => {
    if (!typed) return;
    // When the session has ended, or the server is gone, their code may not come any more.
    for (const { load } of [ConfirmDialog, SessionEnded]) load().catch(() => null);
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [typed]);

  const words = texts.discard;
  return (
    <>
      {blocker.state === 'blocked' && (
        <ConfirmDialog
          title={words.title}
          confirmText={words.discard}
          cancelText={words.keep}
          danger
          onCancel={blocker.reset}
          onConfirm={blocker.proceed}
        >
          {words.leaving}
        </ConfirmDialog>
      )}
      {ended && <SessionEnded />}
    </>
  );
}
