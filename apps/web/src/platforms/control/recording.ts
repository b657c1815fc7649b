import { createContext, useContext } from 'react';
import type { Row } from '../rows.ts';

/** Shared by record buttons: their action, and the rows whose command is under way. */
export type Recording = {
  /** Starts or stops; asks first where there is something to ask. */
  press: (row: Row) => void;
  /** Starts without a question; nothing is ever stopped. */
  recordNow: (row: Row) => void;
  /** Reads a sensor that was set aside. */
  tryAgain: (row: Row) => void;
  /** Opens the dialog that says what is being recorded. */
  describe: (row: Row) => void;
  busyIds: ReadonlySet<string>;
};

export const RecordingContext = createContext<Recording | null>(null);

export function useRecording(): Recording {
  const recording = useContext(RecordingContext);
  if (!recording) throw new Error('useRecording needs a RecordingContext above it');
  return recording;
}
