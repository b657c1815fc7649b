import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { Note } from '../Floating.tsx';
import type { NoteAction, Severity } from './Note.tsx';

type Entry = { id: number; text: string; severity: Severity; action: NoteAction | null };
type Show = (text: string, severity?: Severity, action?: NoteAction) => void;

type Snackbars = { show: Show; withdraw: (text: string) => void };

const SnackbarContext = createContext<Snackbars | null>(null);

/**
 * Returns functions for notes, which are shown one after the other and disappear after 4 s; a note with an action
 * (undo) remains longer.
 */
export function useSnackbar(): Snackbars {
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
    // A sentence that is already shown is not repeated.
    setNotes((before) => [...before.filter((one) => one.text !== text).slice(-2), note]);
  }, []);
  /** Removes a note that is no longer completely true. */
  const withdraw = useCallback((text: string) => setNotes((before) => before.filter((one) => one.text !== text)), []);
  const snackbar = useMemo(() => ({ show, withdraw }), [show, withdraw]);
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
