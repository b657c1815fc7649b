import type { AisMessage, BaseStation, PositionReport } from '@osprey/ais';

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LINE_BYTES = 4096;

/** A piece of text that is the same in each line. */
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

/** Writes messages as lines of JSON into one buffer: positions digit by digit, the others through JSON.stringify. */
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
    this.#text(K.type);
    this.#integer(report.type);
    this.#field(K.repeat, report.repeat, 0);
    this.#field(K.mmsi, report.mmsi, 0);
    this.#field(K.status, report.status, 0);
    this.#field(K.turn, report.turn, 2);
    this.#field(K.speed, report.sog, 1);
    this.#flag(K.accuracy, report.accurate);
    this.#field(K.lon, report.longitude, 7);
    this.#field(K.lat, report.latitude, 7);
    this.#field(K.course, report.cog, 1);
    this.#field(K.heading, report.heading, 0);
    this.#field(K.second, report.second, 0);
    this.#field(K.maneuver, report.manoeuvre, 0);
    if (report.type === 9) this.#field(K.alt, report.altitude, 0);
    if (report.type === 18) {
      this.#flag(K.cs, report.carrierSense);
      this.#flag(K.display, report.display);
      this.#flag(K.dsc, report.dsc);
      this.#flag(K.band, report.wholeBand);
      this.#flag(K.msg22, report.message22);
    }
    this.#flag(K.raim, report.raim);
    this.#field(K.radio, report.radio, 0);
    this.#text(K.end);
  }

  #base(message: BaseStation) {
    this.#text(K.type);
    this.#integer(message.type);
    this.#field(K.repeat, message.repeat, 0);
    this.#field(K.mmsi, message.mmsi, 0);
    this.#text(K.time);
    if (message.timeUs === null) this.#text(NULL);
    else {
      // Seconds, and six digits that are always zero.
      this.#integer(message.timeUs / 1_000_000);
      this.#text(K.microseconds);
    }
    this.#flag(K.accuracy, message.accurate);
    this.#field(K.lon, message.longitude ?? Number.NaN, 7);
    this.#field(K.lat, message.latitude ?? Number.NaN, 7);
    this.#field(K.epfd, message.fixType, 0);
    this.#flag(K.raim, message.raim);
    this.#field(K.radio, message.radio, 0);
    this.#text(K.end);
  }

  message(message: AisMessage) {
    if (this.#at + LINE_BYTES > this.#buffer.length) this.flush();
    if (message.type === 4 || message.type === 11) return this.#base(message);
    const line = 'data' in message ? { ...message, data: Buffer.from(message.data).toString('hex') } : message;
    this.#at += this.#buffer.write(JSON.stringify(line), this.#at, 'latin1');
    this.#buffer[this.#at++] = 10;
  }

  flush() {
    this.#onFull(this.#buffer.subarray(0, this.#at));
    this.#at = 0;
  }

  #text(text: Uint8Array) {
    const buffer = this.#buffer;
    let at = this.#at;
    for (let i = 0; i < text.length; i++) buffer[at++] = text[i]!;
    this.#at = at;
  }

  #flag(name: Uint8Array, value: boolean) {
    this.#text(name);
    this.#text(value ? TRUE : FALSE);
  }

  #field(name: Uint8Array, value: number, decimals: number) {
    this.#text(name);
    if (Number.isNaN(value)) this.#text(NULL);
    else if (decimals === 0) this.#integer(value | 0);
    else this.#decimal(value, decimals);
  }

  #decimal(value: number, decimals: number) {
    const scale = decimals === 1 ? 10 : decimals === 2 ? 100 : 10_000_000;
    let whole: number;
    if (value < 0) {
      this.#buffer[this.#at++] = MINUS;
      whole = (0.5 - value * scale) | 0;
    } else whole = (value * scale + 0.5) | 0;
    const units = (whole / scale) | 0;
    this.#integer(units);
    this.#buffer[this.#at++] = POINT;
    this.#digits(whole - units * scale, decimals);
  }

  #integer(value: number) {
    if (value < 0) {
      this.#buffer[this.#at++] = MINUS;
      this.#integer(-value);
    } else this.#digits(value, countOfDigits(value));
  }

  /** Digits from the last to the first, two at a time. */
  #digits(value: number, count: number) {
    const buffer = this.#buffer;
    let rest = value;
    let at = this.#at + count;
    this.#at = at;
    for (; count > 1; count -= 2) {
      const above = (rest / 100) | 0;
      const pair = (rest - above * 100) << 1;
      buffer[--at] = PAIRS[pair + 1]!;
      buffer[--at] = PAIRS[pair]!;
      rest = above;
    }
    if (count === 1) buffer[--at] = ZERO + rest;
  }
}

/** The digits of 00 to 99. */
const PAIRS = new TextEncoder().encode(Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0')).join(''));

function countOfDigits(value: number): number {
  if (value < 1000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  let count = 4;
  for (let limit = 10_000; limit <= value; limit *= 10) count++;
  return count;
}
