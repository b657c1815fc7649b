import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { Note } from '../Floating.tsx';
import type { NoteAction, Severity } from './Note.tsx';

type Entry = { id: number; text: string; severity: Severity; action: NoteAction | null };
type Show = (text: string, severity?: Severity, action?: NoteAction) => void;

const SnackbarContext = createContext<{ show: Show } | null>(null);

/** Notes that go by themselves after 4 s, one after the other; an action (undo) keeps its note a little longer. */
export function useSnackbar(): { show: Show } {
  const snackbar = useContext(SnackbarContext);
  if (!snackbar) throw new Error('useSnackbar needs a SnackbarProvider above it');
  return snackbar;
}

export function SnackbarProvider({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<Entry[]>([]);
  const lastId = useRef(0);

  const show = useCallback<Show>((text, severity = 'success', action) => {
    lastId.current += 1;
    const note = { id: lastId.current, text, severity, action: action ?? null };
    // The same sentence twice in a row says nothing new.
    setNotes((before) => [...before.filter((one) => one.text !== text).slice(-2), note]);
  }, []);
  const snackbar = useMemo(() => ({ show }), [show]);
  const shown = notes[0];

  return (
    <SnackbarContext value={snackbar}>
      {children}
      {shown && (
        <Note
          key={shown.id}
          text={shown.text}
          severity={shown.severity}
          action={shown.action}
          onGone={() => setNotes((before) => before.filter(({ id }) => id !== shown.id))}
        />
      )}
    </SnackbarContext>
  );
}
