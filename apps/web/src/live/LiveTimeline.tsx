import { useContext } from 'react';
import { fill } from '../base/format.ts';
import { OpenViewContext } from '../missionview/feature-commands.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import type { TimelineRowEntry } from '../timeline/entry.ts';
import { TimelineExtrasContext } from '../timeline/marks.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { LiveTransport } from './LiveTransport.tsx';
import { texts } from './texts.ts';
import { useKept } from './useKept.ts';
import { useLiveServices } from './useLiveServices.ts';
import type { Watched } from './watched.ts';

type Props = { led: Watched | null; noPicture: boolean; compact: boolean; rows: boolean; onFullScreen: () => void };

/**
 * Playback controls of live pictures and, below them, the timeline of the buffered part of the leading stream, with
 * marks, In and Out.
 */
export function LiveTimeline({ led, noPicture, compact, rows, onFullScreen }: Props) {
  const { clock } = useLiveServices();
  const { startUs, endUs } = useClockState(clock);
  const extras = useContext(TimelineExtrasContext);
  const mission = useContext(OpenViewContext)?.view.mission ?? null;
  useKept(led, mission);
  const recorded = mission?.sensors.find(({ name }) => name === led?.sensor.name);
  if (led === null) {
    return <LiveTransport {...{ compact, onFullScreen, noPicture }} rows={false} zoom={null} selection={undefined} />;
  }
  return (
    <Timeline
      {...extras}
      mission={{ sensors: mission?.sensors ?? [], platform: led.platform }}
      entries={[{ ...rowOf(led, { startUs, endUs }), ...(recorded && { pictures: recorded }) }]}
      compact={compact}
      rows={rows}
      live={{
        nothing: texts.nothingKept,
        transport: ({ selection, ...zoom }) => (
          <LiveTransport {...{ compact, onFullScreen, noPicture, rows, zoom, selection }} />
        ),
      }}
    />
  );
}

function rowOf(
  { sensor, platform }: Watched,
  { startUs, endUs }: { startUs: number; endUs: number },
): TimelineRowEntry {
  const isKept = endUs > startUs;
  return {
    sensor: { _id: sensor._id, name: sensor.name, hlsProps: null, startTime: null, state: 'Running', klv: null },
    timeline: {
      startTime: startUs,
      endTime: endUs,
      timeSource: 'file',
      gaps: [],
      targets: { binSeconds: 0, counts: [] },
      runs: isKept ? [{ startTime: startUs, endTime: endUs }] : [],
    },
    failed: false,
    hint: fill(texts.timelineRow, { sensor: `${platform.name} ${sensor.name}` }),
  };
}
