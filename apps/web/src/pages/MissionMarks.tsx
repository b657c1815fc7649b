import { type ReactNode, useMemo, useState } from 'react';
import { type MarkCommand, MarkCommandsContext, type RunMark } from '../missionview/mark-commands.ts';
import { useParts } from '../onscreen/parts.ts';
import { type Selection, setEnd, TimelineExtrasContext } from '../timeline/marks.ts';

const nothingSelected: Selection = { inUs: null, outUs: null };

/**
 * Keeps what features mark in a mission, around its view: a new mark draws the timeline and no player. Marks of all
 * features are joined here; the selection is read with `useSelection` of `timeline/marks.ts`.
 */
export function MissionMarks({ children }: { children: ReactNode }) {
  const { clock } = useParts();
  const [selection, setSelection] = useState(nothingSelected);
  const extras = useMemo(() => ({ selection: { ...selection, onChange: setSelection } }), [selection]);

  const [run] = useState((): RunMark => {
    const commands: Record<MarkCommand, () => void> = {
      in: () => setSelection((before) => setEnd(before, 'inUs', clock.timeUs())),
      out: () => setSelection((before) => setEnd(before, 'outUs', clock.timeUs())),
    };
    return (command) => commands[command]();
  });

  return (
    <MarkCommandsContext value={run}>
      <TimelineExtrasContext value={extras}>{children}</TimelineExtrasContext>
    </MarkCommandsContext>
  );
}
