import { mdiContainEnd, mdiContainStart } from '@mdi/js';
import { useMemo, useState } from 'react';
import { useActor } from '../api/session.ts';
import { useParts } from '../onscreen/parts.ts';
import { neighbour, type Selection, setEnd, type TimelineMark } from '../timeline/marks.ts';
import { Action } from '../ui/Action.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { InView, OpenView, ViewFeature } from './feature.ts';
import { texts } from './texts.ts';
import { useMoment } from './useMoment.ts';

const nothingSelected: Selection = { inUs: null, outUs: null };

/** In and Out, and the steps between pins: they belong to no other feature. */
export const timelineFeature: ViewFeature = {
  id: 'timeline',
  keys: [
    {
      keys: { '[': 'previousPin', ']': 'nextPin', 'Alt ←': 'previousPin', 'Alt →': 'nextPin' },
      text: 'Previous or next pin',
    },
    { keys: { I: 'in', O: 'out' }, text: 'Set In or Out', listedIn: 'mission' },
  ],
  menu: [
    { command: 'in', label: texts.setIn, icon: mdiContainStart },
    { command: 'out', label: texts.setOut, icon: mdiContainEnd },
  ],
  actions: [{ group: 'marks', Button: EndsOfUnrecorded }],
  useInView: useTimeline,
};

function useTimeline(view: OpenView): InView {
  const { clock } = useParts();
  const { show } = useSnackbar();
  const { spanInMission } = useMoment(view);
  const [selected, onChange] = useState(nothingSelected);
  const selection = useMemo(() => ({ ...selected, onChange }), [selected]);
  const isLive = view.view === 'live';

  function toPin(marks: readonly TimelineMark[], direction: 1 | -1) {
    const { playing, startUs, endUs } = clock.get();
    // A live stream can be wound back only so far.
    const isInReach = ({ timeUs }: TimelineMark) => !isLive || (timeUs >= startUs && timeUs <= endUs);
    const pins = marks.filter((mark) => mark.endUs === undefined && isInReach(mark));
    const timeUs = neighbour(pins, clock.timeUs(), { direction, playing });
    if (timeUs !== null) clock.seek(timeUs);
    else show(direction === 1 ? texts.noNext : texts.noPrevious, 'info');
  }
  const end = (which: keyof Selection) => () =>
    isLive ? spanInMission() : onChange((before) => setEnd(before, which, clock.timeUs()));

  return {
    ...(!isLive && { selection }),
    commands: {
      in: end('inUs'),
      out: end('outUs'),
      previousPin: (marks) => toPin(marks, -1),
      nextPin: (marks) => toPin(marks, 1),
    },
  };
}

/** In the bar over a stream that is not recorded: what recording it would allow. */
function EndsOfUnrecorded({ view }: { view: OpenView }) {
  const { role } = useActor();
  if (view.view !== 'live' || view.stream === null || view.marked !== null || role === 'guest') return null;
  return (
    <>
      <Action label={texts.setIn} hint={texts.unrecorded} icon={mdiContainStart} disabled />
      <Action label={texts.setOut} hint={texts.unrecorded} icon={mdiContainEnd} disabled />
    </>
  );
}
