import { type Corners, distanceM } from '@osprey/geo';
import { encodeSt0601, type Values } from '@osprey/klv';
import type { Moment } from './model.ts';
import { classifications, type ResolvedOptions } from './options.ts';
import { targetsIn } from './targets.ts';

/** Versions written: ST 0601.17, ST 0903.5 and ST 0102.12. */
const VERSION = { st0601: 17, st0903: 5, st0102: 12 } as const;
const KELVIN_FREE_LAPSE = 0.0065;
const SEA_LEVEL_HPA = 1013.25;

/** Returns the ST 0601 packet for a moment. */
export function metadataPacket(options: ResolvedOptions, moment: Moment): Uint8Array {
  return encodeSt0601(metadataValues(options, moment));
}

/** Returns the values for a moment by ST 0601 tag, in the standard's units. */
export function metadataValues(options: ResolvedOptions, moment: Moment): Values {
  const { platform, attitude, view } = moment;
  const course = (platform.courseDeg * Math.PI) / 180;
  const targets = targetsIn(options, moment);
  const tracked = moment.ships.find(({ ship }) => ship.id === moment.trackedId);
  return {
    2: moment.timeUs,
    3: options.mission,
    4: 'SX-OSP',
    5: platform.headingDeg,
    6: platform.pitchDeg,
    7: platform.rollDeg,
    8: Math.round(platform.groundSpeedMps + 2),
    10: options.platform,
    11: options.spectrum === 'EO' ? 'EO Nose' : 'IR Nose',
    12: 'Geodetic WGS84',
    13: platform.lat,
    14: platform.lon,
    15: platform.heightM,
    16: view.horizontalDeg,
    17: view.verticalDeg,
    18: attitude.azimuthDeg,
    19: attitude.elevationDeg,
    20: attitude.sensorRollDeg,
    21: moment.slantRangeM,
    22: distanceM(moment.corners[0], moment.corners[1]),
    23: moment.centre.lat,
    24: moment.centre.lon,
    25: 0,
    ...cornerValues(options, moment),
    35: 290,
    36: 6,
    37: SEA_LEVEL_HPA * (1 - (KELVIN_FREE_LAPSE * platform.heightM) / 288.15) ** 5.2559,
    39: Math.round(24 - KELVIN_FREE_LAPSE * platform.heightM),
    ...(tracked ? { 40: tracked.point.lat, 41: tracked.point.lon, 42: 0, 129: tracked.ship.name } : {}),
    48: securityValues(options),
    56: Math.round(platform.groundSpeedMps),
    57: moment.groundRangeM,
    59: options.platform.replace(/[^A-Za-z0-9]/g, ''),
    65: VERSION.st0601,
    72: options.startUs,
    ...(options.ships > 0 ? { 74: vmtiValues(options, moment, targets) } : {}),
    77: 2,
    79: platform.groundSpeedMps * Math.cos(course),
    80: platform.groundSpeedMps * Math.sin(course),
    112: platform.courseDeg,
    113: platform.heightM,
    126: tracked ? 6 : 5,
  };
}

/** Returns latitude and longitude of each corner, as full values or as offsets from the frame centre. */
function cornerValues({ footprint }: ResolvedOptions, { corners, centre }: Moment): Values {
  if (footprint === 'angles') return {};
  const first = footprint === 'corners' ? 82 : 26;
  const from = footprint === 'corners' ? { lat: 0, lon: 0 } : centre;
  const points: Corners = corners;
  return Object.fromEntries(
    points.flatMap(({ lat, lon }, index) => [
      [first + 2 * index, lat - from.lat],
      [first + 2 * index + 1, ((lon - from.lon + 540) % 360) - 180],
    ]),
  );
}

function securityValues({ classification }: ResolvedOptions): Values {
  return {
    // ST 0102.12 tag 1 begins with 1 for the lowest classification.
    1: classifications.indexOf(classification) + 1,
    2: 1,
    3: '//GR',
    5: 'SIMULATED',
    12: 1,
    13: 'GR',
    22: VERSION.st0102,
  };
}

function vmtiValues(options: ResolvedOptions, moment: Moment, targets: ReturnType<typeof targetsIn>): Values {
  return {
    3: 'Osprey simulator',
    4: VERSION.st0903,
    5: targets.length,
    6: targets.length,
    8: options.width,
    9: options.height,
    10: options.spectrum,
    11: moment.view.horizontalDeg,
    12: moment.view.verticalDeg,
    101: targets,
  };
}
