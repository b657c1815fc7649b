import {
  type AisMessage,
  createAisReader,
  createFileClock,
  type Dimensions,
  hasPlace,
  isStatic,
  type Origin,
  type PositionReport,
  type StaticMessage,
  type Timed,
} from '@osprey/ais';
import type { AisDated, AisTimeRule } from '@osprey/contract';
import { DEGREE_PARTS, type Place, suspectJump } from './jump.ts';

/** A time that a sentence states may be this much ahead of its reception. */
export const FUTURE_US = 60_000_000;
/** A sentence that states an older time than this states a wrong one. */
const PAST_US = 7 * 24 * 3_600_000_000;

export const FLAG = { jump: 1, future: 2, offPosition: 4, accurate: 8 } as const;

/** A position as it is stored (migration 0030). */
export type Position = {
  mmsi: number;
  time: number;
  lat: number;
  lon: number;
  sog: number | null;
  cog: number | null;
  heading: number | null;
  turn: number | null;
  status: number | null;
  messageType: number;
  fixType: number | null;
  flags: number;
};

/** Known values of a station; null: not reported, which leaves the earlier value. */
export type Vessel = {
  mmsi: number;
  time: number;
  name: string | null;
  callSign: string | null;
  imo: number | null;
  shipType: number | null;
  aidType: number | null;
  toBow: number | null;
  toStern: number | null;
  toPort: number | null;
  toStarboard: number | null;
  draught: number | null;
  destination: string | null;
  eta: string | null;
  fixType: number | null;
  isVirtual: boolean | null;
};

export type Batch = {
  positions: Position[];
  /** The newest of each station. */
  last: Map<number, Position>;
  vessels: Map<number, Vessel>;
  /** Each name of a station, by station and name: it is found by earlier names too. */
  names: Map<string, { mmsi: number; name: string; time: number }>;
  /** Where the receiver is, if it said so by a VDO sentence: the newest. */
  own?: Place;
};

export const emptyBatch = (): Batch => ({ positions: [], last: new Map(), vessels: new Map(), names: new Map() });

export type AisBatches = {
  /** A line without its end, and when it was received, UTC microseconds; null for a file that does not say. */
  line(bytes: Uint8Array, receivedUs: number | null): void;
  /** Rows gathered since the last call. */
  take(): Batch;
  size(): number;
  /** Positions and static data so far, by what dated them; those of `none` were left out. */
  dated(): AisDated;
};

/**
 * Makes rows of sentences. A position has the time that its sentence states, if that is plausible, else that of its
 * reception. One that cannot be of the same ship as the one before, and one from the future, is kept and flagged.
 *
 * @param places last position of each station; grows with what is read
 * @param paced times of sentences that have none by any of this: the lines came at an even rate
 */
export function aisBatches(
  places: Map<number, Place>,
  paced: { startUs: number; perSecond: number } | null = null,
): AisBatches {
  let batch = emptyBatch();

  const clock = createFileClock();
  const dated: AisDated = { tagBlock: 0, line: 0, baseStation: 0, hand: 0, reception: 0, none: 0 };
  let lines = 0;

  const reader = createAisReader({
    onPosition: (report, origin) => addReport(report, origin),
    onMessage: (message, origin) => addMessage(message, origin),
  });

  function addReport(report: PositionReport, origin: Origin): void {
    if (Number.isNaN(report.latitude)) return;
    const { time, flags, rule } = timeOf({ type: report.type, second: whole(report.second) }, origin);
    dated[rule] += 1;
    if (time === null) return;
    add(
      {
        mmsi: report.mmsi,
        time,
        ...placed(report.latitude, report.longitude),
        sog: tenths(report.sog),
        cog: tenths(report.cog),
        heading: whole(report.heading),
        turn: whole(report.turn),
        status: whole(report.status),
        messageType: report.type,
        fixType: null,
        flags: flags | (report.accurate ? FLAG.accurate : 0),
      },
      origin,
    );
  }

  function addMessage(message: AisMessage, origin: Origin): void {
    // Base stations set the clock even where their message holds no place.
    const { time, flags, rule } = timeOf(message, origin);
    const isPlaced = hasPlace(message) && message.latitude !== null && message.longitude !== null;
    if (!isPlaced && !isStatic(message)) return;
    dated[rule] += 1;
    if (time === null) return;
    if (isStatic(message)) addVessel(message, time);
    if (!hasPlace(message) || message.latitude === null || message.longitude === null) return;
    const isOff = message.type === 21 && message.offPosition === true;
    add(
      {
        mmsi: message.mmsi,
        time,
        ...placed(message.latitude, message.longitude),
        sog: 'sog' in message ? tenths(message.sog) : null,
        cog: 'cog' in message ? tenths(message.cog) : null,
        heading: 'heading' in message ? message.heading : null,
        turn: null,
        status: null,
        messageType: message.type,
        fixType: 'fixType' in message ? message.fixType : null,
        flags: flags | (isOff ? FLAG.offPosition : 0) | (message.accurate ? FLAG.accurate : 0),
      },
      origin,
    );
  }

  /** The time of the sentence, else that of base stations, else the one that somebody gave, else none. */
  function timeOf(message: Timed, origin: Origin): { time: number | null; flags: number; rule: AisTimeRule } {
    if (origin.receivedUs !== null) return receivedTime(origin.receivedUs, origin);
    const known = clock.timeOf(message, origin);
    if (known !== null) return { time: known.timeUs, flags: 0, rule: known.from };
    if (paced === null) return { time: null, flags: 0, rule: 'none' };
    return { time: Math.round(paced.startUs + ((lines - 1) * 1e6) / paced.perSecond), flags: 0, rule: 'hand' };
  }

  function add(position: Position, { own: isOwn, receivedUs }: Pick<Origin, 'own' | 'receivedUs'>): void {
    if (!isNumber(position.mmsi)) return;
    const before = places.get(position.mmsi);
    if (before !== undefined && suspectJump(before, position)) position.flags |= FLAG.jump;
    if (before === undefined || isNewer(position, before, receivedUs)) {
      places.set(position.mmsi, { lat: position.lat, lon: position.lon, time: position.time });
    }
    batch.positions.push(position);
    const newest = batch.last.get(position.mmsi);
    if (newest === undefined || isNewer(position, newest, receivedUs)) batch.last.set(position.mmsi, position);
    if (isOwn) batch.own = { lat: position.lat, lon: position.lon, time: position.time };
  }

  function addVessel(message: StaticMessage, time: number): void {
    if (!isNumber(message.mmsi)) return;
    const said = vesselOf(message, time);
    const { mmsi, name } = said;
    if (name !== null) batch.names.set(`${mmsi} ${name}`, { mmsi, name, time });
    const known = batch.vessels.get(message.mmsi);
    batch.vessels.set(message.mmsi, known === undefined ? said : merged(known, said));
  }

  const LINE_END = new Uint8Array([10]);
  /** "!", by which sentences of AIS begin. */
  const SENTENCE = 0x21;
  return {
    line(bytes, receivedUs) {
      if (bytes.includes(SENTENCE)) lines += 1;
      reader.push(bytes, receivedUs);
      reader.push(LINE_END, receivedUs);
    },
    take() {
      const taken = batch;
      batch = emptyBatch();
      return taken;
    },
    dated: () => ({ ...dated }),
    size: () => batch.positions.length + batch.vessels.size,
  };
}

/**
 * Whether a position replaces another as the last one. One from well after the present was dated by a clock of the server
 * that has been set back since: without this, a ship would stay there for as long as the clock was ahead.
 *
 * @param nowUs UTC microseconds; null for a file that does not say when it was received
 */
export const isNewer = (position: { time: number }, known: { time: number }, nowUs: number | null): boolean =>
  position.time >= known.time || (nowUs !== null && known.time > nowUs + FUTURE_US);

/** The time that a sentence states where that is plausible, else that of its reception. */
function receivedTime(receivedUs: number, { timeUs, timeFrom }: Pick<Origin, 'timeUs' | 'timeFrom'>) {
  const received = { time: receivedUs, flags: 0, rule: 'reception' } as const;
  if (timeUs === null || timeFrom === null) return received;
  if (timeUs > receivedUs + FUTURE_US) return { ...received, flags: FLAG.future };
  return timeUs < receivedUs - PAST_US ? received : { time: Math.min(timeUs, receivedUs), flags: 0, rule: timeFrom };
}

/** Nine digits at most; also those of no country, which badly set up transmitters have. */
const isNumber = (mmsi: number): boolean => mmsi > 0 && mmsi <= 999_999_999;

/** A place in the parts of a degree that are stored. */
export const placed = (latitude: number, longitude: number) => ({
  lat: Math.round(latitude * DEGREE_PARTS),
  lon: Math.round(longitude * DEGREE_PARTS),
});

const whole = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : Math.round(value);
const tenths = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : Math.round(value * 10);

function vesselOf(message: StaticMessage, time: number): Vessel {
  const of = <Key extends string>(key: Key) =>
    key in message ? (message as unknown as Record<Key, never>)[key] : null;
  const dimensions = of('dimensions') as Dimensions | null;
  const draught = of('draught') as number | null;
  return {
    mmsi: message.mmsi,
    time,
    name: of('name'),
    callSign: of('callSign'),
    imo: of('imo'),
    shipType: of('shipType'),
    aidType: of('aidType'),
    toBow: dimensions?.toBow ?? null,
    toStern: dimensions?.toStern ?? null,
    toPort: dimensions?.toPort ?? null,
    toStarboard: dimensions?.toStarboard ?? null,
    draught: tenths(draught),
    destination: of('destination'),
    eta: message.type === 5 ? etaText(message.eta) : null,
    fixType: of('fixType'),
    isVirtual: message.type === 21 ? message.virtual : null,
  };
}

function etaText(eta: { month: number | null; day: number | null; hour: number | null; minute: number | null } | null) {
  if (eta === null || eta.month === null || eta.day === null) return null;
  const two = (value: number | null) => (value === null ? '--' : String(value).padStart(2, '0'));
  return `${two(eta.month)}-${two(eta.day)} ${two(eta.hour)}:${two(eta.minute)}`;
}

/** The newer values, and the older ones where there are no newer. */
function merged(known: Vessel, said: Vessel): Vessel {
  const [older, newer] = said.time >= known.time ? [known, said] : [said, known];
  const all = { ...older };
  for (const [key, value] of Object.entries(newer)) if (value !== null) Object.assign(all, { [key]: value });
  return all;
}
