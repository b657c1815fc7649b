import { useEffect } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router';
import { useSession } from '../api/session.ts';
import { losesTyped, useSomethingTyped } from '../ui/dialog/typed.ts';
import { later } from '../ui/later.tsx';
import { texts } from '../ui/texts.ts';

const ConfirmDialog = later(async () => (await import('../ui/dialog/ConfirmDialog.tsx')).ConfirmDialog);
const SessionEnded = later(async () => (await import('./SessionEnded.tsx')).SessionEnded);

const isLoss: BlockerFunction = ({ currentLocation, nextLocation }) => losesTyped(currentLocation, nextLocation);

/** Protects typed text against Back, a reload and the end of the session, unless the user agrees to discard it. */
export function TypedCare() {
  const { ended } = useSession();
  const typed = useSomethingTyped();
  const blocker = useBlocker(isLoss);

  useEffect(() => {
    if (!typed) return;
    // Loads these dialogs early, since their code may not be available once the session has ended or the server is
    // gone.
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
