import type { NewMission } from '@osprey/contract';
import type { SimulationOptions } from '@osprey/simulator';

/**
 * One sample mission: the fields that a user would enter, and the simulated flight or ship traffic of each of its
 * sensors.
 */
export type SampleFlight = {
  mission: Pick<NewMission, 'name' | 'description' | 'tags' | 'country_code' | 'country_name' | 'rating'> & {
    platform: { name: string; type: string; presentation: { color: string } };
  };
  sensors: { name: string; description: string; type?: 'ais'; options: SimulationOptions }[];
};

const GREECE = { country_code: 'GR', country_name: 'Greece', rating: 0, tags: ['sample'] };
/** Says nothing about what a reader may do with the sample, since that depends on the reader. */
const NOTE = 'A sample flight.';

/** 2026-06-01, 09:00 UTC and 10:30 UTC. */
const MORNING_US = 1_780_304_400_000_000;
const LATER_US = MORNING_US + 90 * 60 * 1_000_000;

const patrol: SimulationOptions = { seed: 1, startUs: MORNING_US, platform: 'Kestrel 1' };
const survey: SimulationOptions = {
  seed: 7,
  startUs: LATER_US,
  track: 'racetrack',
  platform: 'Kestrel 2',
  klv: 'sync',
  bFrames: 2,
};

const AIS = { name: 'AIS', description: 'What ships around the flight report', type: 'ais' } as const;

/** Returns the two missions that a new installation may start with; their flights last this many seconds. */
export const sampleFlights = (seconds: number): readonly SampleFlight[] => [
  {
    mission: {
      ...GREECE,
      name: 'Sample-Coast-Patrol',
      description: NOTE,
      platform: { name: 'Kestrel 1', type: 'Plane', presentation: { color: '#004dcf' } },
    },
    sensors: [
      { name: 'EO', description: 'Daylight camera', options: { ...patrol, seconds, sensor: 1 } },
      { name: 'IR', description: 'Infrared camera with a wider view', options: { ...patrol, seconds, sensor: 2 } },
      { ...AIS, options: { ...patrol, seconds } },
    ],
  },
  {
    mission: {
      ...GREECE,
      name: 'Sample-Ship-Survey',
      description: NOTE,
      platform: { name: 'Kestrel 2', type: 'Helicopter', presentation: { color: '#c2410c' } },
    },
    sensors: [
      { name: 'EO/IR', description: 'Daylight camera, synchronous metadata', options: { ...survey, seconds } },
      { ...AIS, options: { ...survey, seconds } },
    ],
  },
];
