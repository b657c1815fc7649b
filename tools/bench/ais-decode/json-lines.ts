import type { AisMessage, BaseStation, PositionReport } from '@osprey/ais';

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LINE_BYTES = 4096;

/** Encodes a piece of text that is the same in each line. */
const piece = (text: string): Uint8Array => new TextEncoder().encode(text);

const NULL = piece('null');
const TRUE = piece('true');
const FALSE = piece('false');
const key = (name: string) => piece(`,"${name}":`);
const K = {
  type: piece('{"class":"AIS","type":'),
  repeat: key('repeat'),
  mmsi: key('mmsi'),
  status: key('status'),
  turn: key('turn'),
  speed: key('speed'),
  accuracy: key('accuracy'),
  lon: key('lon'),
  lat: key('lat'),
  course: key('course'),
  heading: key('heading'),
  second: key('second'),
  maneuver: key('maneuver'),
  raim: key('raim'),
  radio: key('radio'),
  alt: key('alt'),
  cs: key('cs'),
  display: key('display'),
  dsc: key('dsc'),
  band: key('band'),
  msg22: key('msg22'),
  time: key('timeUs'),
  epfd: key('epfd'),
  microseconds: piece('000000'),
  end: piece('}\n'),
};

/** Writes messages as lines of JSON into one buffer: positions digit by digit, other messages with JSON.stringify. */
export class JsonLines {
  readonly #buffer: Buffer;
  readonly #onFull: (bytes: Uint8Array) => void;
  #at = 0;

  constructor(bytes: number, onFull: (bytes: Uint8Array) => void) {
    this.#buffer = Buffer.alloc(bytes);
    this.#onFull = onFull;
  }

  position(report: PositionReport) {
    if (this.#at + LINE_BYTES > this.#buffer.length) this.flush();
    this.#at = putPosition(this.#buffer, this.#at, report);
  }

  message(message: AisMessage) {
    if (this.#at + LINE_BYTES > this.#buffer.length) this.flush();
    if (message.type === 4 || message.type === 11) {
      this.#at = putBase(this.#buffer, this.#at, message);
      return;
    }
    const line = 'data' in message ? { ...message, data: Buffer.from(message.data).toString('hex') } : message;
    this.#at += this.#buffer.write(JSON.stringify(line), this.#at, 'latin1');
    this.#buffer[this.#at++] = 10;
  }

  flush() {
    this.#onFull(this.#buffer.subarray(0, this.#at));
    this.#at = 0;
  }
}

// Each of these functions writes at an offset of the buffer and returns the offset after the written bytes.

function putPosition(to: Uint8Array, start: number, report: PositionReport): number {
  let at = putInteger(to, putText(to, start, K.type), report.type);
  at = putWhole(to, at, K.repeat, report.repeat);
  at = putWhole(to, at, K.mmsi, report.mmsi);
  at = putWhole(to, at, K.status, report.status);
  at = putDecimal(to, at, K.turn, report.turn, 100, 2);
  at = putDecimal(to, at, K.speed, report.sog, 10, 1);
  at = putFlag(to, at, K.accuracy, report.accurate);
  at = putDecimal(to, at, K.lon, report.longitude, 10_000_000, 7);
  at = putDecimal(to, at, K.lat, report.latitude, 10_000_000, 7);
  at = putDecimal(to, at, K.course, report.cog, 10, 1);
  at = putWhole(to, at, K.heading, report.heading);
  at = putWhole(to, at, K.second, report.second);
  at = putWhole(to, at, K.maneuver, report.manoeuvre);
  if (report.type === 9) at = putWhole(to, at, K.alt, report.altitude);
  if (report.type === 18) {
    at = putFlag(to, at, K.cs, report.carrierSense);
    at = putFlag(to, at, K.display, report.display);
    at = putFlag(to, at, K.dsc, report.dsc);
    at = putFlag(to, at, K.band, report.wholeBand);
    at = putFlag(to, at, K.msg22, report.message22);
  }
  at = putFlag(to, at, K.raim, report.raim);
  at = putWhole(to, at, K.radio, report.radio);
  return putText(to, at, K.end);
}

function putBase(to: Uint8Array, start: number, message: BaseStation): number {
  let at = putInteger(to, putText(to, start, K.type), message.type);
  at = putWhole(to, at, K.repeat, message.repeat);
  at = putWhole(to, at, K.mmsi, message.mmsi);
  at = putText(to, at, K.time);
  if (message.timeUs === null) at = putText(to, at, NULL);
  // Seconds, followed by six digits that are always zero.
  else at = putText(to, putInteger(to, at, message.timeUs / 1_000_000), K.microseconds);
  at = putFlag(to, at, K.accuracy, message.accurate);
  at = putDecimal(to, at, K.lon, message.longitude ?? Number.NaN, 10_000_000, 7);
  at = putDecimal(to, at, K.lat, message.latitude ?? Number.NaN, 10_000_000, 7);
  at = putWhole(to, at, K.epfd, message.fixType);
  at = putFlag(to, at, K.raim, message.raim);
  at = putWhole(to, at, K.radio, message.radio);
  return putText(to, at, K.end);
}

function putText(to: Uint8Array, at: number, text: Uint8Array): number {
  const { length } = text;
  for (let i = 0; i < length; i++) to[at + i] = text[i]!;
  return at + length;
}

const putFlag = (to: Uint8Array, at: number, name: Uint8Array, value: boolean): number =>
  putText(to, putText(to, at, name), value ? TRUE : FALSE);

function putWhole(to: Uint8Array, start: number, name: Uint8Array, value: number): number {
  const at = putText(to, start, name);
  return Number.isNaN(value) ? putText(to, at, NULL) : putInteger(to, at, value | 0);
}

function putDecimal(
  to: Uint8Array,
  start: number,
  name: Uint8Array,
  value: number,
  scale: number,
  decimals: number,
): number {
  let at = putText(to, start, name);
  if (Number.isNaN(value)) return putText(to, at, NULL);
  let whole: number;
  if (value < 0) {
    to[at++] = MINUS;
    whole = (0.5 - value * scale) | 0;
  } else whole = (value * scale + 0.5) | 0;
  const units = (whole / scale) | 0;
  at = putInteger(to, at, units);
  to[at] = POINT;
  return putDigits(to, at + 1, whole - units * scale, decimals);
}

function putInteger(to: Uint8Array, at: number, value: number): number {
  if (value >= 0) return putDigits(to, at, value, countOfDigits(value));
  to[at] = MINUS;
  return putDigits(to, at + 1, -value, countOfDigits(-value));
}

/** Writes digits from the last to the first, two at a time. */
function putDigits(to: Uint8Array, start: number, value: number, count: number): number {
  let rest = value;
  let at = start + count;
  let left = count;
  for (; left > 1; left -= 2) {
    const above = (rest / 100) | 0;
    const pair = (rest - above * 100) << 1;
    to[--at] = PAIRS[pair + 1]!;
    to[--at] = PAIRS[pair]!;
    rest = above;
  }
  if (left === 1) to[at - 1] = ZERO + rest;
  return start + count;
}

/** The two-digit texts from 00 to 99. */
const PAIRS = new TextEncoder().encode(Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0')).join(''));

function countOfDigits(value: number): number {
  if (value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  let count = 4;
  for (let limit = 10_000; limit <= value; limit *= 10) count++;
  return count;
}
