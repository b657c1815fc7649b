import { Assembler, type OpenMessage, type PartKey } from './assembler.ts';
import { decodePayload } from './decode.ts';
import { AIS_FAULT_KINDS, type AisFault, type AisFaultKind } from './faults.ts';
import { createLines, type Lines } from './lines.ts';
import type { AisMessage } from './messages.ts';
import { isGpsdJson, isNmea2000 } from './nmea2000.ts';
import { MAX_SYMBOLS, Payload } from './payload.ts';
import { isPositionType, PositionReport, positionMessage, readPosition } from './position-report.ts';
import { hexDigit, TagBlock } from './tag-block.ts';
import { gatehouseTime, instrumentTime, isAmbiguousDate, timeNextTo } from './times.ts';

/** Origin of a message. The next message overwrites it, so copy values that you keep. */
export class Origin {
  /** @internal */
  receivedNan = Number.NaN;
  /** @internal */
  timeNan = Number.NaN;
  /** Whether the time comes from a tag block or from the line of the sentence; null if there is no time. */
  timeFrom: 'tagBlock' | 'line' | null = null;
  /** @internal */
  clockNan = Number.NaN;
  /** Source stated in the tag block (s:). */
  source: string | null = null;
  /** Talker: AI for ships; AB, AN, AR, AS, AT, AX, BS and SA for other kinds of stations. */
  station = '';
  /** The sentence is a VDO sentence, which comes from the own ship. */
  own = false;
  /** Radio channel: 'A', 'B', any other text as sent, or null. The digits 1 and 2 are converted to A and B. */
  channel: string | null = null;
  /** Start of the sentence that completed the message, in bytes since the first push. */
  offset = 0;

  /** Time at which the bytes were received, in UTC microseconds, as passed to `push`. */
  get receivedUs(): number | null {
    return Number.isNaN(this.receivedNan) ? null : this.receivedNan;
  }
  /** Time stated by the tag block or next to the sentence, in UTC microseconds. */
  get timeUs(): number | null {
    return Number.isNaN(this.timeNan) ? null : this.timeNan;
  }
  /** Time of an RMC or ZDA sentence since the previous message, in UTC microseconds; null if there was none. */
  get clockUs(): number | null {
    return Number.isNaN(this.clockNan) ? null : this.clockNan;
  }
}

export type AisReaderOptions = {
  /** Called for each message with a new object, which may be kept. */
  onMessage: (message: AisMessage, origin: Origin) => void;
  /**
   * If given, receives messages 1, 2, 3, 9, 18 and 27 instead of `onMessage`, in a single record that the next one
   * overwrites, so that nothing is allocated for them. `positionMessage` creates the object.
   */
  onPosition?: (report: PositionReport, origin: Origin) => void;
  onFault?: (fault: AisFault) => void;
  /** Maximum length of a line in bytes. Default 2,048, enough for a receiver; files may have longer ones. */
  maxLineBytes?: number;
  /** Current time in UTC microseconds; RMC and ZDA sentences more than 1,024 weeks older are ignored. Default: now. */
  nowUs?: number;
};

export type AisCounts = {
  lines: number;
  /** Number of AIS sentences, including those with faults. */
  sentences: number;
  messages: number;
  faults: Record<AisFaultKind, number>;
};

export type AisReader = {
  /**
   * Adds the next bytes of a stream, split at any position.
   *
   * @param receivedUs time of reception in UTC microseconds; omit it for a file
   */
  push: (bytes: Uint8Array, receivedUs?: number | null) => void;
  /** Like `push`; the end of the datagram also ends a line. */
  pushDatagram: (bytes: Uint8Array, receivedUs?: number | null) => void;
  /** Ends the input: reads a last line without a line end, and reports messages with missing parts as faults. */
  end: () => void;
  /** Discards incomplete lines and messages, for a new connection. The counts continue. */
  restart: () => void;
  readonly counts: AisCounts;
};

const LF = 10;
const CR = 13;
const BANG = 33;
const DOLLAR = 36;
const STAR = 42;
const COMMA = 44;
const ZERO = 48;
const ONE = 49;
const LETTER_D = 68;
const LETTER_M = 77;
const LETTER_O = 79;
const LETTER_V = 86;
const BACKSLASH = 92;
/** Length of the shortest sentence: !AIVDM,1,1,,,0,0 */
const MIN_SENTENCE_BYTES = 16;
/** Number of lines without a sentence that are checked for NMEA 2000, until AIS is found. */
const MAX_FOREIGN_LINES = 1000;
/** Maximum number of characters before and after a sentence in which a time is searched for. */
const MAX_NEXT_BYTES = 160;

const SINGLE: readonly string[] = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** Reads AIS from a stream or file of NMEA 0183 sentences (IEC 61162-1: VDM and VDO), with or without tag blocks. */
export function createAisReader(options: AisReaderOptions): AisReader {
  return new Reader(options);
}

/** Start of a sentence, the text before and after it, and the position of the buffer's first byte in the stream. */
type Around = { at: number; textStart: number; after: number; next: number; base: number };

class Reader implements AisReader {
  readonly counts: AisCounts = { lines: 0, sentences: 0, messages: 0, faults: noFaults() };
  readonly #options: AisReaderOptions;
  readonly #lines: Lines;
  readonly #assembler = new Assembler((message) => this.#dropped(message));
  readonly #payload = new Payload();
  readonly #report = new PositionReport();
  readonly #origin = new Origin();
  readonly #tag = new TagBlock();
  readonly #joined = new Uint8Array(MAX_SYMBOLS);
  readonly #key: PartKey = {
    total: 0,
    sequence: -1,
    channel: 0,
    talker: 0,
    source: null,
    group: -1,
    timeUs: Number.NaN,
  };
  readonly #stations = new Map<number, string>();
  #stationCode = 0;
  #lastStation = '';
  #receivedUs = Number.NaN;
  #gatehouse: { timeUs: number; checksum: number } | null = null;
  /** True if a tag block on a line by itself waits for the sentence on the next line. */
  #tagWaits = false;
  #foreignLines = 0;
  /** Time of the last RMC or ZDA, until a message takes it. */
  #clockUs = Number.NaN;
  readonly #nowUs: number;

  constructor(options: AisReaderOptions) {
    this.#options = options;
    this.#nowUs = options.nowUs ?? Date.now() * 1000;
    this.#lines = createLines({
      ...(options.maxLineBytes !== undefined && { maxBytes: options.maxLineBytes }),
      onLine: (bytes, start, end, offset) => this.#line(bytes, start, end, offset),
      takeLine: (bytes, start, offset) => this.#plainLine(bytes, start, offset),
      onTooLong: (offset) => this.#fault('lineTooLong', offset),
    });
  }

  push(bytes: Uint8Array, receivedUs: number | null = null) {
    this.#receivedUs = receivedUs ?? Number.NaN;
    this.#lines.push(bytes);
  }

  pushDatagram(bytes: Uint8Array, receivedUs: number | null = null) {
    this.push(bytes, receivedUs);
    this.#lines.endLine();
  }

  end() {
    this.#lines.endLine();
    this.#assembler.dropAll();
  }

  restart() {
    this.#lines.restart();
    this.#assembler.forgetAll();
    this.#gatehouse = null;
    this.#tagWaits = false;
    this.#clockUs = Number.NaN;
  }

  #fault(kind: AisFaultKind, offset: number) {
    this.counts.faults[kind]++;
    this.#options.onFault?.({ kind, offset });
  }

  #dropped(message: OpenMessage) {
    this.#fault(message.isStarted ? 'unfinished' : 'orphanPart', message.offset);
  }

  /**
   * Handles a line that consists of a single sentence with a correct checksum, as nearly all do.
   *
   * @returns the start of the next line, or -1 if it is another kind of line, or continues in the next bytes
   */
  #plainLine(bytes: Uint8Array, start: number, offset: number): number {
    if (bytes[start] !== BANG || this.#tagWaits || this.#gatehouse !== null || !isAis(bytes, start, bytes.length))
      return -1;
    let sum = 0;
    let star = start + 1;
    // A character whose code is not above that of the star ends a sentence, or cannot occur in one. Beyond the last
    // byte the value is undefined, so that no comparison is true.
    while (bytes[star]! > STAR) sum ^= bytes[star++]!;
    if (bytes[star] !== STAR) return -1;
    if (hexDigit(bytes[star + 1]!) * 16 + hexDigit(bytes[star + 2]!) !== sum) return -1;
    const end = bytes[star + 3]!;
    if (end !== LF && end !== CR) return -1;
    this.counts.lines++;
    this.counts.sentences++;
    this.#tag.clear();
    this.#fields(bytes, start, star, offset, Number.NaN);
    return star + (end === CR && bytes[star + 4] === LF ? 5 : 4);
  }

  #line(bytes: Uint8Array, start: number, end: number, offset: number) {
    this.counts.lines++;
    if (!this.#tagWaits) this.#tag.clear();
    this.#tagWaits = false;
    const sentencesBefore = this.counts.sentences;
    let textStart = start;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === BANG && isAis(bytes, at, end)) {
        at = this.#sentence(bytes, at, end, textStart, offset - start);
        textStart = at;
        this.#tag.clear();
      } else if (byte === BACKSLASH) {
        const close = bytes.indexOf(BACKSLASH, at + 1);
        if (close < 0 || close >= end) {
          at++;
          continue;
        }
        if (!this.#tag.read(bytes, at + 1, close)) this.#fault('tagBlock', offset + at - start);
        else if (this.#tag.timeFault) this.#fault('tagTime', offset + at - start);
        at = close + 1;
        textStart = at;
        this.#tagWaits = at >= end;
      } else at++;
    }
    if (this.counts.sentences === sentencesBefore && !this.#tagWaits) this.#foreign(bytes, start, end, offset);
  }

  /** A line without an AIS sentence: a Gatehouse time, another instrument, a comment, or another format altogether. */
  #foreign(bytes: Uint8Array, start: number, end: number, offset: number) {
    if (bytes[start] === DOLLAR && bytes[start + 1] === 80 && bytes[start + 2] === 71) {
      this.#gatehouse = gatehouseTime(latin1(bytes, start, end));
      return;
    }
    if (bytes[start] === DOLLAR && isInstrument(bytes, start, end)) {
      const timeUs = instrumentTime(latin1(bytes, start, end), this.#nowUs);
      if (!Number.isNaN(timeUs)) this.#clockUs = timeUs;
      return;
    }
    if (this.counts.messages > 0 || this.#foreignLines >= MAX_FOREIGN_LINES) return;
    this.#foreignLines++;
    const text = latin1(bytes, start, end);
    if (isNmea2000(text)) this.#fault('nmea2000', offset);
    else if (isGpsdJson(text)) this.#fault('gpsd', offset);
  }

  /**
   * Reads the sentence at `at`.
   *
   * @param textStart start of the text before the sentence
   * @param base offset of the buffer's first byte in the stream
   * @returns the end of the sentence, including the text after it
   */
  #sentence(bytes: Uint8Array, at: number, end: number, textStart: number, base: number): number {
    this.counts.sentences++;
    let sum = 0;
    let star = at + 1;
    for (; star < end; star++) {
      const byte = bytes[star]!;
      if (byte === STAR || byte === BANG || byte === BACKSLASH) break;
      sum ^= byte;
    }
    let after = star;
    let body = star;
    if (star < end && bytes[star] === STAR) {
      after = Math.min(end, star + 3);
      if (star + 3 > end || hexDigit(bytes[star + 1]!) * 16 + hexDigit(bytes[star + 2]!) !== sum) {
        this.#fault('checksum', base + at);
        return after;
      }
    } else {
      this.#fault('noChecksum', base + at);
      while (body > at && bytes[body - 1]! <= 32) body--;
    }
    const next = after < end ? this.#nextSentence(bytes, after, end) : end;
    this.#fields(
      bytes,
      at,
      body,
      base + at,
      this.#timeOf(bytes, { at, textStart, after, next, base }, bytes[at + 7] === ONE ? sum : null),
    );
    return next;
  }

  /** Returns the end of the text after a sentence. */
  #nextSentence(bytes: Uint8Array, start: number, end: number): number {
    for (let i = start; i < end; i++) if (bytes[i] === BANG || bytes[i] === BACKSLASH) return i;
    return end;
  }

  /**
   * Returns the time stated by the line or a Gatehouse sentence; NaN if there is none, or the tag block has one.
   *
   * @param sum checksum of the sentence, null if it is one of several parts
   */
  #timeOf(bytes: Uint8Array, { at, textStart, after, next, base }: Around, sum: number | null): number {
    const gatehouse = this.#gatehouse;
    if (gatehouse !== null) {
      this.#gatehouse = null;
      // The checksum is 0 if the logger did not record it; for a message of several parts it covers all of them.
      if (sum === null || gatehouse.checksum === sum || gatehouse.checksum === 0) return gatehouse.timeUs;
    }
    if (!Number.isNaN(this.#tag.timeUs)) return Number.NaN;
    const before =
      at - textStart > 8 ? timeNextTo(latin1(bytes, Math.max(textStart, at - MAX_NEXT_BYTES), at)) : Number.NaN;
    if (!Number.isNaN(before)) return before;
    const behind = next - after < 10 ? '' : latin1(bytes, after, Math.min(next, after + MAX_NEXT_BYTES));
    const timeUs = behind === '' ? Number.NaN : timeNextTo(behind);
    if (Number.isNaN(timeUs)) {
      const ahead = at - textStart > 8 ? latin1(bytes, Math.max(textStart, at - MAX_NEXT_BYTES), at) : '';
      if (isAmbiguousDate(ahead) || isAmbiguousDate(behind)) this.#fault('ambiguousDate', base + at);
    }
    return timeUs;
  }

  /** Reads the fields of a sentence with a correct checksum: total, number, sequence, channel, payload, fill bits. */
  #fields(bytes: Uint8Array, at: number, end: number, offset: number, lineUs: number) {
    const total = bytes[at + 7]! - ZERO;
    const part = bytes[at + 9]! - ZERO;
    const fill = bytes[end - 1]! - ZERO;
    let next = at + 11;
    let sequence = -1;
    if (bytes[next] !== COMMA) sequence = bytes[next++]! - ZERO;
    const channelAt = next + 1;
    const channelEnd = bytes[channelAt] === COMMA ? channelAt : channelAt + 1;
    const start = channelEnd + 1;
    const isFormed =
      bytes[at + 8] === COMMA &&
      bytes[at + 10] === COMMA &&
      bytes[next] === COMMA &&
      bytes[channelEnd] === COMMA &&
      bytes[end - 2] === COMMA &&
      total >= 1 &&
      total <= 9 &&
      part >= 1 &&
      part <= total &&
      sequence >= -1 &&
      fill >= 0 &&
      fill <= 5 &&
      start < end - 2;
    if (!isFormed) {
      this.#fault('form', offset);
      return;
    }
    const channel = channelAt === channelEnd ? 0 : bytes[channelAt]!;
    const origin = this.#origin;
    const tag = this.#tag;
    const inTag = !Number.isNaN(tag.timeUs);
    origin.receivedNan = this.#receivedUs;
    origin.timeNan = inTag ? tag.timeUs : lineUs;
    origin.timeFrom = inTag ? 'tagBlock' : !Number.isNaN(lineUs) ? 'line' : null;
    origin.source = tag.source;
    origin.station = this.#station(bytes[at + 1]!, bytes[at + 2]!);
    origin.own = bytes[at + 5] === LETTER_O;
    origin.channel = channel === 0 ? null : channel === 49 ? 'A' : channel === 50 ? 'B' : SINGLE[channel]!;
    origin.offset = offset;
    if (total === 1) {
      this.#message(bytes, start, end - 2, fill, offset);
      return;
    }
    const key = this.#key;
    key.total = total;
    key.sequence = sequence;
    key.channel = channel;
    key.talker = (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 5]!;
    key.source = tag.source;
    key.group = tag.group;
    key.timeUs = origin.timeNan;
    this.#part(part, bytes, start, end - 2, fill, offset);
  }

  #part(part: number, bytes: Uint8Array, start: number, end: number, fill: number, offset: number) {
    const origin = this.#origin;
    const open = this.#assembler.find(this.#key, part, this.#receivedUs, this.counts.sentences);
    if (open.received === 0) {
      open.offset = offset;
      open.timeInTag = origin.timeFrom === 'tagBlock';
    }
    if (!open.add(part, bytes, start, end, fill)) {
      this.#assembler.close(open);
      this.#fault('sixBit', offset);
      return;
    }
    open.source ??= origin.source;
    if (Number.isNaN(open.timeUs)) {
      open.timeUs = origin.timeNan;
      open.timeInTag = origin.timeFrom === 'tagBlock';
    }
    if (!open.isComplete) return;
    origin.source = open.source;
    origin.timeNan = open.timeUs;
    origin.timeFrom = !Number.isNaN(open.timeUs) ? (open.timeInTag ? 'tagBlock' : 'line') : null;
    const length = open.join(this.#joined);
    this.#assembler.close(open);
    this.#message(this.#joined, 0, length, open.fill, offset);
  }

  #message(bytes: Uint8Array, start: number, end: number, fill: number, offset: number) {
    const payload = this.#payload;
    if (!payload.load(bytes, start, end, fill)) {
      this.#fault('sixBit', offset);
      return;
    }
    const type = payload.uint(0, 6);
    this.#origin.clockNan = this.#clockUs;
    this.#clockUs = Number.NaN;
    const { onPosition, onMessage } = this.#options;
    if (type > 0 && isPositionType(type)) {
      if (!readPosition(payload, this.#report)) {
        this.#fault('tooShort', offset);
        return;
      }
      this.counts.messages++;
      if (onPosition === undefined) onMessage(positionMessage(this.#report), this.#origin);
      else onPosition(this.#report, this.#origin);
      return;
    }
    const message = decodePayload(payload);
    if (typeof message === 'string') {
      this.#fault(message, offset);
      return;
    }
    this.counts.messages++;
    onMessage(message, this.#origin);
  }

  #station(first: number, second: number): string {
    const code = (first << 8) | second;
    if (code === this.#stationCode) return this.#lastStation;
    let station = this.#stations.get(code);
    if (station === undefined) {
      station = String.fromCharCode(first, second);
      this.#stations.set(code, station);
    }
    this.#stationCode = code;
    this.#lastStation = station;
    return station;
  }
}

/** Returns whether a VDM or VDO sentence of any talker begins at `at`. */
const isAis = (bytes: Uint8Array, at: number, end: number): boolean =>
  end - at >= MIN_SENTENCE_BYTES &&
  bytes[at + 3] === LETTER_V &&
  bytes[at + 4] === LETTER_D &&
  (bytes[at + 5] === LETTER_M || bytes[at + 5] === LETTER_O) &&
  bytes[at + 6] === COMMA;

/** Returns whether this is an RMC or ZDA sentence of any talker. */
const isInstrument = (bytes: Uint8Array, start: number, end: number): boolean => {
  if (end - start < MIN_SENTENCE_BYTES) return false;
  const formatter = String.fromCharCode(bytes[start + 3]!, bytes[start + 4]!, bytes[start + 5]!);
  return formatter === 'RMC' || formatter === 'ZDA';
};

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 400)));

const noFaults = () => Object.fromEntries(AIS_FAULT_KINDS.map((kind) => [kind, 0])) as Record<AisFaultKind, number>;
