import type { Origin } from './reader.ts';

const MINUTE_US = 60_000_000;
/** Maximum difference between times that agree, in microseconds. */
const AGREE_US = 10 * MINUTE_US;
/** Maximum difference between times at which no gap between them is searched for, in microseconds. */
const NEAR_US = MINUTE_US / 2;
/**
 * Number of consecutive reports that must agree with each other to replace the current time, since some clocks are
 * wrong.
 */
const AGREEING_REPORTS = 5;
/** Number of agreeing reports that suffices at the end of a file. */
const AGREEING_REPORTS_AT_END = 2;
/** Minimum number of seconds between consecutive messages that indicates a pause, or the end of one log. */
const BREAK_S = 6;
/** Maximum number of messages that wait for a later time; beyond that, they are dated by the times known so far. */
const WAITING_MAX = 100_000;

/**
 * Origin of the time of a message in a file: its tag block, its line, or a base station received before or after it.
 */
export type FileTimeFrom = 'tagBlock' | 'line' | 'baseStation';
export type FileTime = { timeUs: number; from: FileTimeFrom };

/** Fields of a message or position report that state a time. */
export type TimedMessage = { type: number; timeUs?: number | null; second?: number | null };
type Stated = Pick<Origin, 'timeUs' | 'timeFrom'> & { clockUs?: number | null };

export type FileClock<Item> = {
  /** Adds the next message of the file; `item` is passed to `dated` with its time. */
  add: (item: Item, message: TimedMessage, origin: Stated) => void;
  /** Dates all waiting messages: the file has ended, or its rows are needed now. */
  end: () => void;
};

const NO_ITEM = Symbol('no item');

/** A waiting message. A time of RMC or ZDA waits in the same way, without an item. */
type Waiting<Item> = {
  item: Item | typeof NO_ITEM;
  second: number | null;
  stated: FileTime | null;
  /** Time stated by a base station, RMC or ZDA. */
  saidUs: number | null;
  from: 'line' | 'baseStation';
};

/**
 * Determines the times of the messages of a file, given in order. A message gets the time of its tag block, else the
 * one next to the sentence, else one counted by the UTC seconds of position reports: forward from the last message 4 or
 * 11, RMC or ZDA before it, or backward from the first one after it. If two of these are far apart, as in two logs
 * joined in one file, the messages between them are divided at the longest pause.
 *
 * @param dated called for each message in the order of the file; null if its time cannot be determined
 */
export function createFileClock<Item>(dated: (item: Item, time: FileTime | null) => void): FileClock<Item> {
  /** Last accepted time. */
  let anchor: { timeUs: number; from: 'line' | 'baseStation' } | null = null;
  let waiting: Waiting<Item>[] = [];
  /**
   * First waiting message that disagrees with the anchor, and the number of messages that have agreed with it since.
   */
  let other: { index: number; timeUs: number; count: number } | null = null;
  /** Time of the anchor, counted forward over all waiting messages. */
  let forwardUs = 0;

  const report = (one: Waiting<Item>, timeUs: number | null, from: 'line' | 'baseStation') => {
    if (one.item === NO_ITEM) return;
    dated(one.item, one.stated ?? (timeUs === null ? null : { timeUs, from }));
  };

  function reportForward(some: readonly Waiting<Item>[], { timeUs, from }: NonNullable<typeof anchor>): number {
    let clockUs = timeUs;
    for (const one of some) {
      const at = nearest(clockUs, one.second);
      clockUs = Math.max(clockUs, at);
      report(one, at, from);
    }
    return clockUs;
  }

  function reportBackward(some: readonly Waiting<Item>[], { timeUs, from }: NonNullable<typeof anchor>): void {
    let clockUs = timeUs;
    const times = some.map(() => 0);
    for (let index = some.length - 1; index >= 0; index -= 1) {
      const at = nearest(clockUs, some[index]!.second);
      clockUs = Math.min(clockUs, at);
      times[index] = at;
    }
    for (const [index, one] of some.entries()) report(one, times[index]!, from);
  }

  /** Dates all messages that wait between the anchor and a time received now. */
  function reportBetween(some: readonly Waiting<Item>[], next: NonNullable<typeof anchor>, isFar: boolean): void {
    if (anchor === null) {
      reportBackward(some, next);
      return;
    }
    const at = breakOf(some, anchor.timeUs, next.timeUs) ?? (isFar ? 0 : some.length);
    reportForward(some.slice(0, at), anchor);
    reportBackward(some.slice(at), next);
  }

  function believe(one: Waiting<Item>, timeUs: number): void {
    anchor = { timeUs, from: one.from };
    forwardUs = timeUs;
    waiting = [];
    other = null;
    report(one, timeUs, one.from);
  }

  function receive(one: Waiting<Item>, timeUs: number): void {
    const next = { timeUs, from: one.from };
    if (anchor === null || Math.abs(timeUs - forwardUs) <= AGREE_US) {
      const isNear = Math.abs(timeUs - forwardUs) <= NEAR_US;
      if (anchor !== null && isNear) reportForward(waiting, anchor);
      else reportBetween(waiting, next, false);
      believe(one, timeUs);
      return;
    }
    const agrees = other !== null && Math.abs(timeUs - other.timeUs) <= AGREE_US;
    if (other === null || !agrees) other = { index: waiting.length, timeUs, count: 1 };
    else other = { ...other, timeUs, count: other.count + 1 };
    waiting.push(one);
    if (other.count >= AGREEING_REPORTS) jump(other.index);
    else if (waiting.length > WAITING_MAX) letGo();
  }

  /**
   * Switches to the other time, from this message on and back to the last pause: the clock was set, or another log
   * begins.
   */
  function jump(index: number): void {
    const all = waiting;
    const first = all[index]!;
    const timeUs = first.saidUs!;
    reportBetween(all.slice(0, index), { timeUs, from: first.from }, true);
    believe(first, timeUs);
    for (const one of all.slice(index + 1)) handle(one);
  }

  function handle(one: Waiting<Item>): void {
    if (one.saidUs !== null) {
      receive(one, one.saidUs);
      return;
    }
    if (one.stated !== null && waiting.length === 0) {
      report(one, null, one.from);
      return;
    }
    waiting.push(one);
    forwardUs = Math.max(forwardUs, nearest(forwardUs, one.second));
    if (waiting.length > WAITING_MAX) letGo();
  }

  function letGo(): void {
    if (anchor !== null) {
      anchor = { timeUs: reportForward(waiting, anchor), from: anchor.from };
      waiting = [];
      other = null;
      return;
    }
    for (const one of waiting.splice(0, WAITING_MAX / 2)) report(one, null, one.from);
  }

  return {
    add(item, { type, timeUs = null, second = null }, origin) {
      const { clockUs = null } = origin;
      if (clockUs !== null) handle({ item: NO_ITEM, second: null, stated: null, saidUs: clockUs, from: 'line' });
      const stated =
        origin.timeUs === null || origin.timeFrom === null ? null : { timeUs: origin.timeUs, from: origin.timeFrom };
      const isBase = type === 4 || type === 11;
      handle({ item, second: isBase ? null : second, stated, saidUs: isBase ? timeUs : null, from: 'baseStation' });
    },
    end() {
      // Messages after a jump wait again, possibly for another jump.
      while (other !== null && other.count >= AGREEING_REPORTS_AT_END) jump(other.index);
      const rest = waiting;
      waiting = [];
      other = null;
      if (anchor === null) for (const one of rest) report(one, null, one.from);
      else forwardUs = reportForward(rest, anchor);
      if (anchor !== null) anchor = { timeUs: forwardUs, from: anchor.from };
    },
  };
}

/**
 * Returns the time with this second that is nearest to a clock, since reports may be late, and files have gaps of less
 * than half a minute.
 */
function nearest(clockUs: number, second: number | null): number {
  if (second === null) return clockUs;
  const minute = Math.floor(clockUs / MINUTE_US) * MINUTE_US + second * 1_000_000;
  return minute + Math.round((clockUs - minute) / MINUTE_US) * MINUTE_US;
}

/**
 * Returns the index of the message after the longest pause, judged by the seconds of reports; null if there is no
 * recognisable pause.
 */
function breakOf(some: readonly { second: number | null }[], fromUs: number, toUs: number): number | null {
  const secondOf = (us: number) => (us % MINUTE_US) / 1_000_000;
  let before = secondOf(fromUs);
  let longest = BREAK_S;
  let found: number | null = null;
  const seconds = [...some.map(({ second }) => second), secondOf(toUs)];
  for (const [index, second] of seconds.entries()) {
    if (second === null) continue;
    const step = Math.abs(((((second - before + 30) % 60) + 60) % 60) - 30);
    if (step > longest) {
      longest = step;
      found = index;
    }
    before = second;
  }
  return found;
}
