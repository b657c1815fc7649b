import { mdiAlertCircleOutline, mdiFilmstripOff } from '@mdi/js';
import type { Mission, Sensor } from '@osprey/contract';
import { useUnitsKey } from '../base/units.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { Cover } from './Cover.tsx';
import { UnplayableNotice } from './PlayerCover.tsx';
import { TelemetryCard } from './TelemetryCard.tsx';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensor: Sensor; timelineFailed: boolean; covered: boolean };

/** Shown instead of a picture for a sensor with telemetry only. */
export function TelemetryCover(props: Props) {
  const unitsKey = useUnitsKey();
  return <Cover overPicture={false}>{coverOf(props, unitsKey)}</Cover>;
}

function coverOf({ mission, sensor, timelineFailed, covered }: Props, unitsKey: string) {
  // A sensor that is not ready has no picture yet.
  if (sensor.state !== 'Ready') return <UnplayableNotice sensor={sensor} flying={mission.platformId} />;
  if (timelineFailed) return <Notice failed icon={mdiAlertCircleOutline} title={texts.timelineFailed} />;
  if (!covered) return <Notice icon={mdiFilmstripOff} title={texts.notCovered} />;
  return <TelemetryCard key={unitsKey} mission={mission} sensor={sensor} />;
}
