import type { Mission } from '@osprey/contract';
import { useState } from 'react';
import { momentOf, momentText } from './moments.ts';

type Given = {
  mission: Mission;
  /** The selected span. An In or Out that is not set is the start or end of the mission. */
  inUs: number | null;
  outUs: number | null;
  /** End of the playable time, for a mission that is being recorded. */
  endUs: number;
};

export type SpanForm = ReturnType<typeof useSpanFields>;

/** Keeps In and Out as they are typed; `from` and `to` are null while the text is no time. */
export function useSpanFields({ mission, inUs, outUs, endUs }: Given) {
  const nearUs = mission.startTime ?? 0;
  const [times, setTimes] = useState(() => ({
    in: momentText(inUs ?? nearUs, nearUs),
    out: momentText(outUs ?? mission.endTime ?? Math.max(nearUs, endUs), nearUs),
  }));
  const change = (part: Partial<typeof times>) => setTimes((before) => ({ ...before, ...part }));
  return { times, change, from: timeOf(times.in, inUs, nearUs), to: timeOf(times.out, outUs, nearUs) };
}

/** Reads the time in the field. An unchanged field means the selected time, exact to the microsecond. */
function timeOf(text: string, selectedUs: number | null, nearUs: number): number | null {
  if (selectedUs !== null && text === momentText(selectedUs, nearUs)) return selectedUs;
  return momentOf(text, nearUs);
}
