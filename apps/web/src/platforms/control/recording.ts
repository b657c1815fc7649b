import { createContext, useContext } from 'react';
import type { Row } from '../rows.ts';

/** Shared state of the record buttons: their actions, and the rows whose command is being executed. */
export type Recording = {
  /** Starts or stops recording, after a dialog if one is needed. */
  press: (row: Row) => void;
  /** Starts recording without a dialog; never stops anything. */
  recordNow: (row: Row) => void;
  /** Retries a sensor that was set aside. */
  tryAgain: (row: Row) => void;
  /** Opens the dialog that describes the running recording. */
  describe: (row: Row) => void;
  busyIds: ReadonlySet<string>;
};

export const RecordingContext = createContext<Recording | null>(null);

export function useRecording(): Recording {
  const recording = useContext(RecordingContext);
  if (!recording) throw new Error('useRecording needs a RecordingContext above it');
  return recording;
}
