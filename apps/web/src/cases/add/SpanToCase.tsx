import type { Mission, Sensor } from '@osprey/contract';
import { fill, formatClock, plainText } from '../../base/format.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { useSelection } from '../../timeline/marks.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { AddToCase } from './AddToCase.tsx';
import { type Collected, collectedTrack } from './collected.ts';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensors: readonly Sensor[] };

/** Button that adds the track of the leading sensor between In and Out to a case. */
export function SpanToCase({ mission, sensors }: Props) {
  const { clock } = useViewServices();
  const selection = useSelection();
  const { show } = useSnackbar();

  function span(): Collected | null {
    const { inUs = null, outUs = null } = selection ?? {};
    const { leader } = clock.get();
    const sensor = sensors.find(({ _id }) => _id === leader) ?? sensors.find(({ type }) => type === 'video');
    if (inUs === null || outUs === null || inUs >= outUs || sensor === undefined) {
      show(texts.noSpan, 'warning');
      return null;
    }
    // Playback is paused, since the dialog covers it.
    clock.pause();
    const values = { sensor: plainText(sensor.name), from: formatClock(inUs), to: formatClock(outUs) };
    const times = { startTime: Math.round(inUs), endTime: Math.round(outUs) };
    return collectedTrack({ sensorId: sensor._id, ...times, title: fill(texts.span, values) }, mission);
  }

  return <AddToCase label={texts.addSpan} of={span} />;
}
