import { createContext, useContext } from 'react';
import type { Row } from '../rows.ts';

/** What record buttons need: the press, and the rows whose command is under way. */
export type Recording = { press: (row: Row) => void; busyIds: ReadonlySet<string> };

export const RecordingContext = createContext<Recording | null>(null);

export function useRecording(): Recording {
  const recording = useContext(RecordingContext);
  if (!recording) throw new Error('useRecording needs a RecordingContext above it');
  return recording;
}
