import { mdiContainEnd, mdiContainStart } from '@mdi/js';
import { useMemo, useState } from 'react';
import { useViewServices } from '../onscreen/view-services.ts';
import { neighbour, type Selection, setEnd, type TimelineMark } from '../timeline/marks.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useSameFunction } from '../ui/useSameFunction.ts';
import type { InView, OpenView, ViewFeature } from './feature.ts';
import { texts } from './texts.ts';
import { useMoment } from './useMoment.ts';

/** Nothing can be selected in a stream that is not recorded. */
const isRecorded = ({ marked }: OpenView): boolean => marked !== null;

const nothingSelected: Selection = { inUs: null, outUs: null };

/** In and Out, and the steps between pins, which belong to no other feature. */
export const timelineFeature: ViewFeature = {
  id: 'timeline',
  keys: [
    {
      keys: { '[': 'previousPin', ']': 'nextPin', 'Alt ←': 'previousPin', 'Alt →': 'nextPin' },
      text: 'Previous or next pin',
    },
    { keys: { I: 'in', O: 'out' }, text: 'Set In or Out' },
  ],
  menu: [
    { command: 'in', label: texts.setIn, icon: mdiContainStart, isOffered: isRecorded },
    { command: 'out', label: texts.setOut, icon: mdiContainEnd, isOffered: isRecorded },
  ],
  useInView: useTimeline,
};

function useTimeline(view: OpenView): InView {
  const { clock } = useViewServices();
  const { show } = useSnackbar();
  const { recorded } = useMoment(view);
  const [selection, change] = useSelectionOf(view.marked?._id ?? null);
  const isLive = view.view === 'live';

  function toPin(marks: readonly TimelineMark[], direction: 1 | -1) {
    const { playing, startUs, endUs } = clock.get();
    // A live stream can be rewound only to a limited extent.
    const isInReach = ({ timeUs }: TimelineMark) => !isLive || (timeUs >= startUs && timeUs <= endUs);
    const pins = marks.filter((mark) => mark.endUs === undefined && isInReach(mark));
    const timeUs = neighbour(pins, clock.timeUs(), { direction, playing });
    if (timeUs !== null) clock.seek(timeUs);
    else show(direction === 1 ? texts.noNext : texts.noPrevious, 'info');
  }
  const end = (which: keyof Selection) => () => {
    // In a recording, the clock has a time even where there is no picture.
    const timeUs = isLive ? recorded()?.timeUs : clock.timeUs();
    if (timeUs !== undefined) change((before) => setEnd(before, which, timeUs));
  };

  return {
    ...(view.marked !== null && { selection }),
    commands: {
      in: end('inUs'),
      out: end('outUs'),
      previousPin: (marks) => toPin(marks, -1),
      nextPin: (marks) => toPin(marks, 1),
    },
  };
}

/** In and Out points of one mission. They are discarded for another mission, whose recording may have begun later. */
function useSelectionOf(missionId: string | null) {
  const [retained, setRetained] = useState({ missionId, selected: nothingSelected });
  const selected = retained.missionId === missionId ? retained.selected : nothingSelected;
  const change = useSameFunction((next: (before: Selection) => Selection) =>
    setRetained((before) => ({
      missionId,
      selected: next(before.missionId === missionId ? before.selected : nothingSelected),
    })),
  );
  const selection = useMemo(
    () => ({ ...selected, onChange: (next: Selection) => change(() => next) }),
    [selected, change],
  );
  return [selection, change] as const;
}
