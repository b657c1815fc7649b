import type { AisTarget } from '@osprey/contract';
import { type Encounter, encounterOf, type Mover, REPORT_AGE_MAX_S } from '@osprey/geo';
import { formatBearing } from '../../base/bearings.ts';
import { fill, formatDuration } from '../../base/format.ts';
import { milesText } from '../miles.ts';
import { compareTexts as texts } from './texts.ts';

const nothing = { unknown: texts.notAvailable, none: texts.none };

export const moverOf = ({ lat, lon, timestamp, sog, cog }: AisTarget): Mover => ({
  ...{ lat, lon, timeUs: timestamp, sogKnots: sog, cogDeg: cog },
});

type Comparison = { fields: [label: string, value: string][]; remark: string | null };

/** Returns the content of the card that compares two movers at the time `atUs` (UTC microseconds). */
export function comparisonOf(own: Mover, other: Mover, atUs: number): Comparison {
  const isOld = (mover: Mover) => Math.abs(atUs - mover.timeUs) > REPORT_AGE_MAX_S * 1e6;
  // The position of an old report is not extrapolated, since the movement of the ship since then is unknown.
  const believed = (mover: Mover): Mover => (isOld(mover) ? { ...mover, sogKnots: null } : mover);
  const { distanceM, bearingDeg, closest } = encounterOf(believed(own), believed(other), atUs);
  const [cpa, tcpa] =
    typeof closest === 'string'
      ? [nothing[closest], nothing[closest]]
      : [milesText(closest.distanceM, 2), timeText(closest.seconds)];
  return {
    fields: [
      [texts.distance, milesText(distanceM, 2)],
      [texts.bearing, formatBearing(bearingDeg, own, atUs, 1)],
      [texts.cpa, cpa],
      [texts.tcpa, tcpa],
    ],
    remark: isOld(own) || isOld(other) ? fill(texts.old, { minutes: REPORT_AGE_MAX_S / 60 }) : remarkOf(closest),
  };
}

function remarkOf(closest: Encounter['closest']): string | null {
  if (closest === 'unknown') return texts.unknown;
  return closest === 'none' ? texts.keep : null;
}

function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const time = formatDuration(Math.abs(whole));
  return fill(whole < 0 ? texts.passed : texts.inTime, { time });
}
