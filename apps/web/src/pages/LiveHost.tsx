import { can, type LivePlatform } from '@osprey/contract';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { useActor } from '../api/session.ts';
import { type Watched, watchedOf } from '../live/watched.ts';
import { requestedExports } from '../missions/exports/export-store.ts';
import { useMission } from '../missions/useMissions.ts';
import type { MarkedMission, Moment, OpenLive } from '../missionview/feature.ts';
import { PLAYERS_MAX } from '../missionview/layout.ts';
import { ViewHost } from '../missionview/ViewHost.tsx';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { frameOnScreen } from '../onscreen/frame-on-screen.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { RecordingProvider } from '../platforms/control/RecordingProvider.tsx';
import { useRecording } from '../platforms/control/recording.ts';
import { usePlatformControl } from '../platforms/control/usePlatformControl.ts';
import { factsOf } from '../platforms/rows.ts';
import type { LiveSelection } from '../platforms/useLiveSelection.ts';
import { useSameFunction } from '../ui/useSameFunction.ts';
import { viewFeatures } from './view-features.ts';

type Props = { platforms: readonly LivePlatform[]; selection: LiveSelection; children: ReactNode };

/** Host of the features in the view of live streams, whose marks are added to the mission that is being recorded. */
export function LiveHost(props: Props) {
  return (
    <RecordingProvider selection={props.selection} control={usePlatformControl()}>
      <Host {...props} />
    </RecordingProvider>
  );
}

function Host({ children, ...props }: Props) {
  return (
    <ViewHost features={viewFeatures()} view={useOpenLive(props)}>
      {children}
    </ViewHost>
  );
}

function useOpenLive({ platforms, selection }: Omit<Props, 'children'>): OpenLive {
  const { clock, frames, firstFrame } = useViewServices();
  const { leader } = useClockState(clock);
  const actor = useActor();
  const { press } = useRecording();
  // Once the map has started, the first pictures have been loaded or waited for.
  const calm = useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
  const stream = useMemo(() => streamOf(platforms, leader), [platforms, leader]);
  const { sensorIds } = selection;
  const watched = useMemo(
    () => watchedOf(platforms, sensorIds, PLAYERS_MAX).map(({ sensor }) => sensor._id),
    [platforms, sensorIds],
  );
  const sensors = useMemo(() => namesOf(platforms), [platforms]);
  const missionId = stream?.sensor.live ? stream.platform.mission : null;
  const mission = useMission(missionId).data ?? null;
  const marked = useMemo((): MarkedMission | null => {
    if (missionId === null || stream === null) return null;
    const { securityClassification, marked } = mission ?? stream.platform;
    return { _id: missionId, securityClassification, marked };
  }, [missionId, mission, stream]);

  /** Returns the moment on screen, even while the stream is rewound. */
  const moment = useSameFunction((): Moment | null => {
    const frame = frameOnScreen(frames, { leader, timeUs: clock.timeUs() });
    if (stream === null || frame === null || frame.sensorId !== stream.sensor._id) return null;
    const { sensor, platform } = stream;
    const sensorId = sensor.missionSensor;
    return {
      ...{ shownId: sensor._id, sensorName: sensor.name, platformName: platform.name, timeUs: frame.timeUs },
      recorded: missionId === null || sensorId === null ? null : { missionId, sensorId },
      rights: mission ?? platform,
    };
  });
  const begin = useSameFunction(() => {
    if (stream) press({ kind: 'sensor', ...stream, readAtMs: Date.now() });
  });
  const mayRecord = stream !== null && can(actor, 'platform.control', factsOf(stream.platform)).allowed;
  const record = mayRecord ? begin : null;
  return useMemo(
    () => ({
      ...{ view: 'live', calm, mission, marked, sensors, stream, watched, record, moment },
      onOrdered: requestedExports.add,
    }),
    [calm, mission, marked, sensors, stream, watched, record, moment],
  );
}

const streamOf = (platforms: readonly LivePlatform[], id: string | null): Watched | null =>
  platforms
    .flatMap((platform) => platform.sensors.map((sensor) => ({ platform, sensor })))
    .find(({ sensor }) => sensor._id === id) ?? null;

/**
 * Returns sensors with the platform's name as prefix, since sensors of different platforms on screen may have the same
 * name.
 */
const namesOf = (platforms: readonly LivePlatform[]) =>
  platforms.flatMap(({ name: platform, sensors }) =>
    sensors.map(({ _id, name }) => ({ _id, name: `${platform} ${name}` })),
  );
