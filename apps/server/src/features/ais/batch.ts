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
  type TimedMessage,
} from '@osprey/ais';
import type { AisDated, AisTimeRule } from '@osprey/contract';
import { AIS_LINE_BYTES_MAX } from '../../media/formats/ais.ts';
import { DEGREE_PARTS, type Place, suspectJump } from './jump.ts';

/** Maximum plausible lead of a stated time over the time of reception, in microseconds. */
export const FUTURE_US = 60_000_000;
/** Maximum plausible age of a stated time at its reception, in microseconds. */
const PAST_US = 7 * 24 * 3_600_000_000;

/**
 * `nowhere`: the position is 0 0, as sent by equipment without a fix. `clock`: the stated time is too old to be
 * plausible.
 */
export const FLAG = { jump: 1, future: 2, offPosition: 4, accurate: 8, nowhere: 16, clock: 32 } as const;
/**
 * A receiver's clock is considered wrong if it differs from base stations by more than this, in this many consecutive
 * messages.
 */
const CLOCK_ERROR_US = 10 * 60_000_000;
const CLOCK_ERROR_REPORTS = 3;
/** Maximum number of stations whose last position is remembered: several times those that send in the world. */
export const PLACES_MAX = 1_000_000;

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

/** Known values of a station. Null means not reported, so that the earlier value is kept. */
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
  /** The newest position of each station, by MMSI. */
  last: Map<number, Position>;
  vessels: Map<number, Vessel>;
  /**
   * All names that stations have sent, by station and name, so that a search also finds a station by an earlier name.
   */
  names: Map<string, { mmsi: number; name: string; time: number }>;
  /** The newest position of the receiver itself, from its VDO sentences; absent if it sent none. */
  own?: Place;
};

export const emptyBatch = (): Batch => ({ positions: [], last: new Map(), vessels: new Map(), names: new Map() });

export type AisBatches = {
  /**
   * Reads a line without its line end. `receivedUs` is the time of reception in UTC microseconds; null for a file that
   * does not state it.
   */
  line(bytes: Uint8Array, receivedUs: number | null): void;
  /**
   * Returns the rows collected since the last call. With `more`, further lines follow, so messages that may still get a
   * time are held back.
   */
  take(part?: { more: boolean }): Batch;
  size(): number;
  /**
   * Returns the numbers of positions and static data so far, by the origin of their times. Those of origin `none` were
   * discarded.
   */
  dated(): AisDated;
  /** Returns remarks about the file for users, as sentences. */
  remarks(): string[];
};

/** A message whose time is not determined yet, with its position, its static data, both or neither. */
type Undated = {
  position: Omit<Position, 'time'> | null;
  said: StaticMessage | null;
  own: boolean;
  receivedUs: number | null;
  /** Number of the line, counting only lines that contain a sentence. */
  line: number;
};

/**
 * Converts sentences to rows. A position gets the time stated in its sentence if that is plausible, else the time of
 * its reception. A position that is too far from the previous one to be of the same ship, or that is in the future, is
 * kept but flagged.
 *
 * @param places last position of each station; updated with what is read
 * @param paced assigns times to sentences that have no time from any other rule, by assuming that lines came at an even
 * rate
 */
export function aisBatches(
  places: Map<number, Place>,
  paced: { startUs: number; perSecond: number } | null = null,
): AisBatches {
  let batch = emptyBatch();

  const clock = createFileClock<Undated>((one, existing) => {
    if (existing !== null) settle(one, { time: existing.timeUs, flags: 0, rule: existing.from });
    else if (paced === null) settle(one, { time: null, flags: 0, rule: 'none' });
    else
      settle(one, {
        time: Math.round(paced.startUs + ((one.line - 1) * 1e6) / paced.perSecond),
        flags: 0,
        rule: 'hand',
      });
  });
  /** Difference between the receiver's clock and base stations, and how many messages in a row show it. */
  let off = { us: 0, count: 0 };
  const dated: AisDated = { tagBlock: 0, line: 0, baseStation: 0, hand: 0, reception: 0, none: 0 };
  let lines = 0;

  const reader = createAisReader({
    maxLineBytes: AIS_LINE_BYTES_MAX,
    onPosition: (report, origin) => addReport(report, origin),
    onMessage: (message, origin) => addMessage(message, origin),
  });

  function addReport(report: PositionReport, origin: Origin): void {
    if (Number.isNaN(report.latitude)) return;
    const position = {
      mmsi: report.mmsi,
      ...placed(report.latitude, report.longitude),
      sog: tenths(report.sog),
      cog: tenths(report.cog),
      heading: whole(report.heading),
      turn: whole(report.turn),
      status: whole(report.status),
      messageType: report.type,
      fixType: null,
      flags: report.accurate ? FLAG.accurate : 0,
    };
    date({ position, said: null }, { type: report.type, second: whole(report.second) }, origin);
  }

  function addMessage(message: AisMessage, origin: Origin): void {
    if (message.type === 4 && message.timeUs !== null) compareClock(message.timeUs, origin);
    // Base stations set the clock even where their message holds no place.
    date({ position: positionOf(message), said: isStatic(message) ? message : null }, message, origin);
  }

  function positionOf(message: AisMessage): Undated['position'] {
    if (!hasPlace(message) || message.latitude === null || message.longitude === null) return null;
    const isOff = message.type === 21 && message.offPosition === true;
    return {
      mmsi: message.mmsi,
      ...placed(message.latitude, message.longitude),
      sog: 'sog' in message ? tenths(message.sog) : null,
      cog: 'cog' in message ? tenths(message.cog) : null,
      heading: 'heading' in message ? message.heading : null,
      turn: null,
      status: null,
      messageType: message.type,
      fixType: 'fixType' in message ? message.fixType : null,
      flags: (isOff ? FLAG.offPosition : 0) | (message.accurate ? FLAG.accurate : 0),
    };
  }

  /**
   * Determines the time of a message. A live message gets its stated time if that is plausible, else the time of
   * reception; a message from a file gets its time from the file's clock.
   */
  function date(one: Pick<Undated, 'position' | 'said'>, message: TimedMessage, origin: Origin): void {
    const { own, receivedUs } = origin;
    const undated = { ...one, own, receivedUs, line: lines };
    if (receivedUs === null) clock.add(undated, message, origin);
    else settle(undated, receivedTime(receivedUs, origin));
  }

  function settle(
    one: Undated,
    { time, flags, rule }: { time: number | null; flags: number; rule: AisTimeRule },
  ): void {
    const { position, said: vessel } = one;
    if (position === null && vessel === null) return;
    dated[rule] += 1;
    if (time === null) return;
    if (vessel !== null) addVessel(vessel, time);
    if (position !== null) add({ ...position, time, flags: position.flags | flags }, one);
  }

  function compareClock(baseUs: number, { receivedUs, timeUs }: Origin): void {
    if (receivedUs !== null || timeUs === null) return;
    const us = timeUs - baseUs;
    if (Math.abs(us) <= CLOCK_ERROR_US) off = { us: 0, count: 0 };
    else off = { us, count: Math.abs(us - off.us) <= CLOCK_ERROR_US ? off.count + 1 : 1 };
  }

  function add(position: Position, { own: isOwn, receivedUs }: Pick<Undated, 'own' | 'receivedUs'>): void {
    if (!isNumber(position.mmsi)) return;
    if (position.lat === 0 && position.lon === 0) position.flags |= FLAG.nowhere;
    else place(position, receivedUs);
    batch.positions.push(position);
    const newest = batch.last.get(position.mmsi);
    if (newest === undefined || isNewer(position, newest, receivedUs)) batch.last.set(position.mmsi, position);
    if (isOwn) batch.own = placeOf(position);
  }

  /**
   * Compares a position with the station's last one. A position that does not fit is only stored as doubtful until the
   * next one fits it; otherwise the return to the real track would also count as a jump.
   */
  function place(position: Position, receivedUs: number | null): void {
    const before = places.get(position.mmsi);
    if (before !== undefined && suspectJump(before, position)) {
      if (before.doubtful === undefined || suspectJump(before.doubtful, position)) {
        position.flags |= FLAG.jump;
        places.set(position.mmsi, { ...before, doubtful: placeOf(position) });
        return;
      }
    } else if (before !== undefined && !isNewer(position, before, receivedUs)) return;
    places.set(position.mmsi, placeOf(position));
    // The first key is the station that was received first.
    if (places.size > PLACES_MAX) places.delete(places.keys().next().value ?? 0);
  }

  function addVessel(message: StaticMessage, time: number): void {
    if (!isNumber(message.mmsi)) return;
    const vessel = vesselOf(message, time);
    const { mmsi, name } = vessel;
    if (name !== null) batch.names.set(`${mmsi} ${name}`, { mmsi, name, time });
    const existing = batch.vessels.get(message.mmsi);
    batch.vessels.set(message.mmsi, existing === undefined ? vessel : merged(existing, vessel));
  }

  const LINE_END = new Uint8Array([10]);
  /** Code of "!", with which AIS sentences begin. */
  const SENTENCE = 0x21;
  return {
    line(bytes, receivedUs) {
      if (bytes.includes(SENTENCE)) lines += 1;
      reader.push(bytes, receivedUs);
      reader.push(LINE_END, receivedUs);
    },
    take({ more } = { more: false }) {
      if (!more) clock.end();
      const taken = batch;
      batch = emptyBatch();
      return taken;
    },
    dated: () => ({ ...dated }),
    remarks() {
      const { lineTooLong, ambiguousDate } = reader.counts.faults;
      return [
        ...(lineTooLong > 0 ? [`${countText(lineTooLong, 'line')} over 64 KiB left out.`] : []),
        ...(ambiguousDate > 0
          ? ['Its dates do not tell day and month apart (04/03/2026 is 4 March or 3 April), so they are not used.']
          : []),
        ...(off.count >= CLOCK_ERROR_REPORTS ? [offText(off.us)] : []),
      ];
    },
    size: () => batch.positions.length + batch.vessels.size + batch.names.size,
  };
}

/**
 * Whether a position replaces another as the last one. An existing position from well after the present was dated by a
 * server clock that has since been set back; it is replaced too, since the ship would otherwise stay there until that
 * time is reached.
 *
 * @param nowUs UTC microseconds; null for a file that does not state when it was received
 */
export const isNewer = (position: { time: number }, existing: { time: number }, nowUs: number | null): boolean =>
  position.time >= existing.time || (nowUs !== null && existing.time > nowUs + FUTURE_US);

/** Returns the time stated in a sentence if it is plausible, else the time of reception. */
function receivedTime(receivedUs: number, { timeUs, timeFrom }: Pick<Origin, 'timeUs' | 'timeFrom'>) {
  const received = { time: receivedUs, flags: 0, rule: 'reception' } as const;
  if (timeUs === null || timeFrom === null) return received;
  if (timeUs > receivedUs + FUTURE_US) return { ...received, flags: FLAG.future };
  if (timeUs < receivedUs - PAST_US) return { ...received, flags: FLAG.clock };
  return { time: Math.min(timeUs, receivedUs), flags: 0, rule: timeFrom };
}

/** Accepts numbers of at most nine digits, even without a country, since badly set up transmitters send these. */
const isNumber = (mmsi: number): boolean => mmsi > 0 && mmsi <= 999_999_999;

/** Converts a place to the units in which latitude and longitude are stored. */
export const placed = (latitude: number, longitude: number) => ({
  lat: Math.round(latitude * DEGREE_PARTS),
  lon: Math.round(longitude * DEGREE_PARTS),
});

const placeOf = ({ lat, lon, time }: Place): Place => ({ lat, lon, time });

const countText = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

function offText(us: number): string {
  const minutes = Math.round(Math.abs(us) / 60e6);
  const days = Math.floor(minutes / 1440);
  const text =
    days > 0 ? countText(days, 'day') : minutes >= 60 ? countText(Math.floor(minutes / 60), 'hour') : `${minutes} min`;
  return `The clock of its receiver is ${us > 0 ? 'ahead of' : 'behind'} that of base stations by ${text}.`;
}

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
  const twoDigits = (value: number | null) => (value === null ? '--' : String(value).padStart(2, '0'));
  return `${twoDigits(eta.month)}-${twoDigits(eta.day)} ${twoDigits(eta.hour)}:${twoDigits(eta.minute)}`;
}

/** Merges two states of a station. Newer values replace older ones; older values without a newer one are kept. */
function merged(existing: Vessel, vessel: Vessel): Vessel {
  const [older, newer] = vessel.time >= existing.time ? [existing, vessel] : [vessel, existing];
  const all = { ...older };
  for (const [key, value] of Object.entries(newer)) if (value !== null) Object.assign(all, { [key]: value });
  return all;
}
