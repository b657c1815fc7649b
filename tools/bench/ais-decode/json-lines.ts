import type { AisMessage, PositionReport } from '@osprey/ais';

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
  end: piece('}\n'),
};

/** Writes messages as lines of JSON into one buffer: position reports digit by digit, the others through JSON.stringify. */
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

  message(message: AisMessage) {
    if (this.#at + LINE_BYTES > this.#buffer.length) this.flush();
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
    let whole = Math.round(value * scale);
    if (whole < 0) {
      this.#buffer[this.#at++] = MINUS;
      whole = -whole;
    }
    const units = Math.floor(whole / scale);
    this.#integer(units);
    this.#buffer[this.#at++] = POINT;
    this.#digits(whole - units * scale, decimals);
  }

  #integer(value: number) {
    if (value < 0) {
      this.#buffer[this.#at++] = MINUS;
      this.#integer(-value);
      return;
    }
    let count = 1;
    for (let limit = 10; limit <= value; limit *= 10) count++;
    this.#digits(value, count);
  }

  #digits(value: number, count: number) {
    const buffer = this.#buffer;
    let rest = value | 0;
    for (let at = this.#at + count - 1; at >= this.#at; at--) {
      const tenth = (rest / 10) | 0;
      buffer[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.#at += count;
  }
}
