import type { AisMessage, Dimensions } from '@osprey/ais';
import type { Point } from '@osprey/geo';
import { localPlane, type Plane } from '../local-plane.ts';
import { randomOf } from '../random.ts';
import { makeShips, type ShipClass, shipAt } from '../ships.ts';
import { circle, closedTrack, type PlanePoint, type Track } from '../track.ts';
import { LANES, type Lane, type LaneShip } from './lanes.ts';
import type { TrafficOptions } from './options.ts';

/** State of a station at one moment; `point` is the position of its antenna. */
export type StationState = { point: Point; courseDeg: number; knots: number; turnDegMin: number };

/** An AIS transmitter. */
export type Station = {
  mmsi: number;
  at(timeS: number): StationState;
  /**
   * Messages that the station sends, each with a function for its interval in seconds, which depends on the station's
   * state (ITU-R M.1371-5, Annex 1, § 4.2.1).
   */
  sends: readonly {
    everyS: (state: StationState) => number;
    make: (state: StationState, timeUs: number) => AisMessage[];
  }[];
};

const MPS_PER_KNOT = 1852 / 3600;
const STATIC_S = 360;

type Kind = LaneShip['kind'] | 'law';
const SHIP_TYPES: Readonly<Record<Kind, readonly number[]>> = {
  cargo: [70, 70, 71, 79],
  tanker: [80, 81, 89],
  passenger: [60, 69],
  highSpeed: [40, 49],
  fishing: [30],
  sailing: [36],
  pleasure: [37],
  tug: [52, 31],
  law: [55],
};

/** AIS classes of the flight's ships; a skiff has no transmitter. */
const CLASSES: Readonly<Record<ShipClass, { kind: Kind; classB: boolean } | null>> = {
  cargo: { kind: 'cargo', classB: false },
  ferry: { kind: 'passenger', classB: false },
  patrol: { kind: 'law', classB: false },
  trawler: { kind: 'fishing', classB: false },
  yacht: { kind: 'sailing', classB: true },
  boat: null,
};

/** Maritime identification digits of flags that are common in the area; the local one occurs most often. */
const FLAGS = [237, 239, 240, 241, 237, 271, 636, 538, 248, 209, 351, 563, 247, 210, 255];
const NAMES = [
  ...['AEGEAN', 'ATHINA', 'BLUE', 'DELFINI', 'DORIS', 'EVIA', 'GALINI', 'HELLAS', 'IONIAN', 'KALYPSO', 'KYMA'],
  ...[
    'LEVANTE',
    'MARIGO',
    'NAFSIKA',
    'NEREUS',
    'OLYMPIA',
    'PELAGOS',
    'POSEIDON',
    'SIROCCO',
    'THALIA',
    'THETIS',
    'ZEFYROS',
  ],
];
const SECOND = ['', ' STAR', ' WIND', ' SEA', ' QUEEN', ' TRADER', ' SPIRIT', ' II', ' PRIDE', ' DAWN'];
const PORTS = [
  'PIRAEUS',
  'RAFINA',
  'LAVRIO',
  'SYROS',
  'THESSALONIKI',
  'ISTANBUL',
  'IZMIR',
  'GIBRALTAR',
  'PORT SAID',
  'KEA',
];

/** A ship and its description in the messages. */
type ShipPlan = {
  mmsi: number;
  name: string;
  kind: Kind;
  classB: boolean;
  lengthM: number;
  beamM: number;
  knots: number;
  fishing: boolean;
  at(timeS: number): { point: Point; courseDeg: number; turnDegMin: number };
};

/**
 * Creates all transmitters for the seed: the ships of the flight, ships on the lanes, a base station ashore, aids to
 * navigation, an aircraft.
 */
export function makeStations(options: TrafficOptions): Station[] {
  const { lon, lat } = options.origin;
  const plane = localPlane({ lon, lat });
  const random = randomOf(options.seed * 31 + 5);
  const noise = (point: Point): Point => {
    if (options.noiseM === 0) return point;
    // Normally distributed in each direction (Box-Muller).
    const radius = options.noiseM * Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    const [east, north] = plane.toPlane(point);
    return plane.toPoint(east + radius * Math.sin(angle), north + radius * Math.cos(angle));
  };
  const plans = [...flownShips(options, plane), ...laneShips(options, plane)];
  const stations = [
    ...plans.map((plan) => shipStation(plan, randomOf(plan.mmsi), noise)),
    ...shore(plane),
    aircraft(plane),
  ];
  return options.sart ? [...stations, sart(plane)] : stations;
}

/** Returns the ships that the camera sees, with their names and courses. */
function flownShips({ ships, seed }: TrafficOptions, plane: Plane): ShipPlan[] {
  return makeShips(ships, seed).flatMap((ship): ShipPlan[] => {
    const seen = CLASSES[ship.shipClass];
    if (seen === null) return [];
    return [
      {
        mmsi: 237_000_100 + ship.id,
        name: ship.name,
        ...seen,
        lengthM: ship.lengthM,
        beamM: ship.beamM,
        knots: ship.speedMps / MPS_PER_KNOT,
        fishing: ship.shipClass === 'trawler',
        at(timeS) {
          const { point, courseDeg } = shipAt(ship, timeS, plane);
          const { curvature } = ship.track.at(ship.startM + ship.speedMps * timeS);
          return { point, courseDeg, turnDegMin: turnOf(curvature, ship.speedMps) };
        },
      },
    ];
  });
}

const turnOf = (curvature: number, speedMps: number): number => ((curvature * speedMps * 180) / Math.PI) * 60;

const between = ([min, max]: readonly [number, number], share: number): number => min + (max - min) * share;

/** Returns the ships on the lanes, assigned to one lane after the other. */
function laneShips({ lanes, seed }: TrafficOptions, plane: Plane): ShipPlan[] {
  const random = randomOf(seed * 131 + 77);
  const tracks = new Map<string, Track>();
  return Array.from({ length: lanes }, (_, index): ShipPlan => {
    const lane = LANES[index % LANES.length]!;
    const of = Math.floor(index / LANES.length);
    const ship = lane.ships[of % lane.ships.length]!;
    // Spread the ships over five parallel lines across the breadth of the lane.
    const line = of % 5;
    const key = `${index % LANES.length} ${line}`;
    const track = tracks.get(key) ?? closedTrack(shifted(lane, (line - 2) / 4));
    tracks.set(key, track);
    const lengthM = Math.round(between(ship.lengthM, random()));
    const knots = between(ship.knots, random());
    const speedMps = knots * MPS_PER_KNOT;
    const startM = random() * track.lengthM;
    return {
      mmsi: FLAGS[Math.floor(random() * FLAGS.length)]! * 1_000_000 + 100_000 + index,
      name: `${NAMES[index % NAMES.length]!}${SECOND[Math.floor(index / NAMES.length) % SECOND.length]!}`,
      kind: ship.kind,
      classB: ship.classB ?? false,
      lengthM,
      beamM: Math.max(3, Math.round(lengthM / between([5.5, 7.5], random()))),
      knots,
      fishing: ship.kind === 'fishing' && knots < 5,
      at(timeS) {
        const { east, north, courseDeg, curvature } = track.at(startM + speedMps * timeS);
        return { point: plane.toPoint(east, north), courseDeg, turnDegMin: turnOf(curvature, speedMps) };
      },
    };
  });
}

/** Returns the course of a lane, shifted sideways by a share of its breadth. */
function shifted({ course, breadthM }: Lane, share: number): PlanePoint[] {
  return course.map(([east, north], index): PlanePoint => {
    const [e0, n0] = course[(index + course.length - 1) % course.length]!;
    const [e1, n1] = course[(index + 1) % course.length]!;
    const length = Math.hypot(e1 - e0, n1 - n0) || 1;
    return [east + ((n1 - n0) / length) * breadthM * share, north - ((e1 - e0) / length) * breadthM * share];
  });
}

const secondOf = (timeUs: number): number => Math.floor(timeUs / 1e6) % 60;
const tenth = (value: number): number => Math.round(value * 10) / 10;
const degree = (value: number): number => Math.round(value) % 360;
const course = (value: number): number => tenth(value) % 360;

function shipStation(plan: ShipPlan, random: () => number, noise: (point: Point) => Point): Station {
  const { mmsi, knots } = plan;
  const dimensions = dimensionsOf(plan, random());
  const shipType = SHIP_TYPES[plan.kind][Math.floor(random() * SHIP_TYPES[plan.kind].length)]!;
  const compassErrorDeg = random() * 2 - 1;
  const status = plan.fishing ? 7 : 0;
  const callSign = `SV${String(mmsi % 10_000).padStart(4, '0')}`;
  const destination = PORTS[Math.floor(random() * PORTS.length)]!;
  const etaDay = 1 + Math.floor(random() * 28);
  const head = { repeat: 0, mmsi };
  const at = (timeS: number): StationState => {
    const { point, courseDeg, turnDegMin } = plan.at(timeS);
    return { point: antenna(point, courseDeg, dimensions), courseDeg, knots, turnDegMin };
  };
  const moving = ({ point, courseDeg }: StationState, timeUs: number) => {
    const { lat, lon } = noise(point);
    const place = { latitude: lat, longitude: lon, accurate: true, raim: false };
    return {
      ...place,
      sog: tenth(knots),
      cog: course(courseDeg),
      second: secondOf(timeUs),
      positionMode: 'sensor' as const,
    };
  };
  const heading = (state: StationState) => degree(state.courseDeg + compassErrorDeg + 360);
  if (plan.classB) {
    const capabilities = {
      carrierSense: true,
      display: false,
      dsc: true,
      wholeBand: true,
      message22: true,
      assigned: false,
    };
    return {
      mmsi,
      at,
      sends: [
        {
          everyS: (state) => (state.knots <= 2 ? 180 : 30),
          make: (state, timeUs) => [
            // No heading: few small craft have a compass connected to the transmitter.
            { type: 18, ...head, ...moving(state, timeUs), heading: null, ...capabilities, radio: 917_510 },
          ],
        },
        {
          everyS: () => STATIC_S,
          make: () => [
            { type: 24, part: 'A', ...head, name: plan.name },
            {
              ...{
                type: 24,
                part: 'B',
                ...head,
                shipType,
                vendor: 'OSP',
                model: 1,
                serial: mmsi % 1_000_000,
                callSign,
              },
              ...{ dimensions, mothership: null, fixType: 1 },
            },
          ],
        },
      ],
    };
  }
  return {
    mmsi,
    at,
    sends: [
      {
        everyS: classAPeriod,
        make: (state, timeUs) => [
          {
            ...{ type: 1, ...head, ...moving(state, timeUs), heading: heading(state), status, radio: 2_000 },
            ...{ turn: tenth(state.turnDegMin), turnAtLeast: false, manoeuvre: null },
          },
        ],
      },
      {
        everyS: () => STATIC_S,
        make: () => [
          {
            ...{
              type: 5,
              ...head,
              aisVersion: 2,
              imo: imoNumber(mmsi),
              callSign,
              name: plan.name,
              shipType,
              dimensions,
            },
            ...{ fixType: 1, eta: { month: 6, day: etaDay, hour: 18, minute: 30 }, destination, dataTerminal: true },
            draught: tenth(Math.min(15, 1.5 + plan.lengthM / 22)),
          },
        ],
      },
    ],
  };
}

/**
 * Returns the seconds between class A reports (M.1371-5, Annex 1, table 1). A ship counts as turning at more than 5
 * degrees in half a minute.
 */
function classAPeriod({ knots, turnDegMin }: StationState): number {
  const turns = Math.abs(turnDegMin) > 10;
  if (knots > 23) return 2;
  if (knots > 14) return turns ? 2 : 6;
  return turns ? 10 / 3 : 10;
}

/** Returns the dimensions of a ship. The antenna is aft on ships whose bridge is aft, and further forward on others. */
function dimensionsOf({ kind, lengthM, beamM }: ShipPlan, share: number): Dimensions {
  const isAft = kind === 'cargo' || kind === 'tanker';
  const length = Math.max(2, Math.round(lengthM));
  const beam = Math.max(2, Math.round(beamM));
  const toStern = Math.max(1, Math.round(length * (isAft ? 0.12 + 0.08 * share : 0.55 + 0.15 * share)));
  const toPort = Math.max(1, Math.round(beam * (0.35 + 0.3 * share)));
  return { toBow: length - toStern, toStern, toPort, toStarboard: beam - toPort, length, beam, referenceKnown: true };
}

/** Returns the position of the antenna, given that of the middle of the ship. */
function antenna(middle: Point, headingDeg: number, { toBow, toStern, toPort, toStarboard }: Dimensions): Point {
  const ahead = (toStern - toBow) / 2;
  const right = (toPort - toStarboard) / 2;
  const angle = (headingDeg * Math.PI) / 180;
  const plane = localPlane(middle);
  return plane.toPoint(
    ahead * Math.sin(angle) + right * Math.cos(angle),
    ahead * Math.cos(angle) - right * Math.sin(angle),
  );
}

/** Returns an IMO number: seven digits, of which the last is the check digit (IMO Resolution A.1117). */
function imoNumber(mmsi: number): number {
  const six = String(900_000 + (mmsi % 99_999)).slice(0, 6);
  const sum = [...six].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return Number(`${six}${sum % 10}`);
}

const standing = (point: Point) => (): StationState => ({ point, courseDeg: 0, knots: 0, turnDegMin: 0 });
const fixed = (point: Point) => ({ latitude: point.lat, longitude: point.lon, accurate: true, raim: false });

/** Returns the stations ashore: a base station on the island, two real aids to navigation and a virtual one. */
function shore(plane: Plane): Station[] {
  const base = plane.toPoint(5200, -3600);
  const aids = [
    { name: 'KEA CHANNEL NORTH', aidType: 20, east: -6800, north: 4200, virtual: false, number: 1 },
    { name: 'CAPE SPATHI LIGHT', aidType: 5, east: 5600, north: 2300, virtual: false, number: 2 },
    { name: 'WRECK BRITANNIC VIRTUAL MARK', aidType: 28, east: -900, north: 3400, virtual: true, number: 6 },
  ];
  return [
    {
      mmsi: 2_371_201,
      at: standing(base),
      sends: [
        {
          everyS: () => 10,
          make: (_, timeUs) => [
            {
              ...{ type: 4, repeat: 0, mmsi: 2_371_201, ...fixed(base), timeUs: Math.floor(timeUs / 1e6) * 1e6 },
              ...{ fixType: 7, longRange: false, radio: 114_688 },
            },
          ],
        },
      ],
    },
    ...aids.map(({ name, aidType, east, north, virtual, number }): Station => {
      const point = plane.toPoint(east, north);
      const mmsi = 992_371_200 + number;
      const size = { toBow: 2, toStern: 2, toPort: 2, toStarboard: 2, length: 4, beam: 4, referenceKnown: true };
      return {
        mmsi,
        at: standing(point),
        sends: [
          {
            everyS: () => 180,
            make: (_, timeUs) => [
              {
                ...{ type: 21, repeat: 0, mmsi, ...fixed(point), aidType, name, dimensions: virtual ? null : size },
                ...{ fixType: virtual ? 7 : 1, second: secondOf(timeUs), positionMode: 'sensor', offPosition: false },
                ...{ status: 0, virtual, assigned: false },
              },
            ],
          },
        ],
      };
    }),
  ];
}

/** Returns a search and rescue helicopter on a circular course. */
function aircraft(plane: Plane): Station {
  const track = closedTrack(circle(-2000, 6000, 9000, 5000));
  const knots = 85;
  const mmsi = 111_237_506;
  return {
    mmsi,
    at(timeS) {
      const { east, north, courseDeg } = track.at(knots * MPS_PER_KNOT * timeS);
      return { point: plane.toPoint(east, north), courseDeg, knots, turnDegMin: 0 };
    },
    sends: [
      {
        everyS: () => 10,
        make: ({ point, courseDeg }, timeUs) => [
          {
            ...{ type: 9, repeat: 0, mmsi, ...fixed(point), altitude: 150, barometric: false, sog: knots },
            ...{ cog: course(courseDeg), second: secondOf(timeUs), positionMode: 'sensor', dataTerminal: true },
            ...{ assigned: false, radio: 0 },
          },
        ],
      },
    ],
  };
}

/**
 * Returns a drifting search and rescue transmitter, which sends bursts every minute (IEC 61097-14), simulated as one
 * report every 8 s.
 */
function sart(plane: Plane): Station {
  const mmsi = 970_237_001;
  return {
    mmsi,
    at: (timeS) => ({ point: plane.toPoint(-2400 + timeS * 0.3, 900), courseDeg: 90, knots: 0.6, turnDegMin: 0 }),
    sends: [
      {
        everyS: () => 8,
        make: ({ point, courseDeg, knots }, timeUs) => [
          {
            ...{ type: 1, repeat: 0, mmsi, ...fixed(point), sog: knots, cog: courseDeg, heading: null, status: 14 },
            ...{ turn: null, turnAtLeast: false, second: secondOf(timeUs), positionMode: 'sensor', manoeuvre: null },
            radio: 0,
          },
        ],
      },
      { everyS: () => 60, make: () => [{ type: 14, repeat: 0, mmsi, text: 'SART ACTIVE' }] },
    ],
  };
}
