import type { Mission, Sensor } from '@osprey/contract';
import { type ReactNode, useMemo } from 'react';
import { requestedExports } from '../missions/exports/export-store.ts';
import type { Moment, OpenMission } from '../missionview/feature.ts';
import { ViewHost } from '../missionview/ViewHost.tsx';
import { frameOnScreen } from '../onscreen/frame-on-screen.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { useSameFunction } from '../ui/useSameFunction.ts';
import { viewFeatures } from './view-features.ts';

type Props = Pick<OpenMission, 'calm' | 'address'> & {
  mission: Mission;
  sensors: readonly Sensor[];
  children: ReactNode;
};

/** Host of the features in a mission view, around all of its content. */
export function MissionHost({ mission, sensors, calm, address, children }: Props) {
  const { clock, frames } = useViewServices();
  const moment = useSameFunction((): Moment | null => {
    const frame = frameOnScreen(frames, { leader: clock.get().leader, timeUs: clock.timeUs() });
    if (frame === null) return null;
    const { sensorId, timeUs } = frame;
    return {
      ...{ shownId: sensorId, timeUs, platformName: mission.platform.name, rights: mission },
      sensorName: sensors.find(({ _id }) => _id === sensorId)?.name ?? '',
      recorded: { missionId: mission._id, sensorId },
    };
  });
  const view = useMemo(
    (): OpenMission => ({
      ...{ view: 'mission', mission, marked: mission, sensors, calm, address, moment },
      onOrdered: requestedExports.add,
    }),
    [mission, sensors, calm, address, moment],
  );
  return (
    <ViewHost features={viewFeatures()} view={view}>
      {children}
    </ViewHost>
  );
}
