/** A media playlist as it was read. */
export type ReadPlaylist = {
  version: number;
  targetSeconds: number;
  partTarget: number | null;
  partHoldBack: number | null;
  holdBack: number | null;
  canBlock: boolean;
  /** Value of CAN-SKIP-UNTIL; null if there are no delta updates. */
  canSkipSeconds: number | null;
  /** Number of segments at the start that a delta update omits. */
  skipped: number;
  firstN: number;
  breaks: number;
  segments: ReadSegment[];
  hint: { uri: string; start: number } | null;
  ended: boolean;
};

type ReadPart = { uri: string; bytes: string | null; durationSeconds: number; independent: boolean };

/** A segment of a playlist; `durationSeconds` is null for the last segment while only parts of it are listed. */
export type ReadSegment = {
  n: number;
  uri: string | null;
  bytes: string | null;
  durationSeconds: number | null;
  dateMs: number | null;
  discontinuity: boolean;
  parts: ReadPart[];
};

const emptySegment = (n: number): ReadSegment => ({
  ...{ n, uri: null, bytes: null, durationSeconds: null, dateMs: null },
  ...{ discontinuity: false, parts: [] },
});

/** @throws Error for violations of the grammar in RFC 8216 section 4 or rfc8216bis */
export function readPlaylist(text: string): ReadPlaylist {
  if (!text.startsWith('#EXTM3U\n')) throw new Error('A playlist begins with #EXTM3U');
  const list: ReadPlaylist = {
    ...{ version: 1, targetSeconds: Number.NaN, partTarget: null, partHoldBack: null, holdBack: null },
    ...{
      canBlock: false,
      canSkipSeconds: null,
      skipped: 0,
      firstN: 0,
      breaks: 0,
      segments: [],
      hint: null,
      ended: false,
    },
  };
  let segment: ReadSegment | null = null;
  const current = () => {
    segment ??= emptySegment(list.firstN + list.skipped + list.segments.length);
    return segment;
  };
  for (const line of text.split('\n').slice(1)) {
    if (line === '') continue;
    if (!line.startsWith('#')) {
      list.segments.push({ ...current(), uri: line });
      segment = null;
      continue;
    }
    const [tag = '', value = ''] = split(line);
    const attributes = () => attributesOf(value);
    if (tag === '#EXT-X-VERSION') list.version = Number(value);
    else if (tag === '#EXT-X-TARGETDURATION') list.targetSeconds = integer(value);
    else if (tag === '#EXT-X-MEDIA-SEQUENCE') list.firstN = integer(value);
    else if (tag === '#EXT-X-DISCONTINUITY-SEQUENCE') list.breaks = integer(value);
    else if (tag === '#EXT-X-SERVER-CONTROL') {
      list.canBlock = attributes().get('CAN-BLOCK-RELOAD') === 'YES';
      list.partHoldBack = optional(attributes().get('PART-HOLD-BACK'));
      list.holdBack = optional(attributes().get('HOLD-BACK'));
      list.canSkipSeconds = optional(attributes().get('CAN-SKIP-UNTIL'));
    } else if (tag === '#EXT-X-SKIP') list.skipped = integer(attributes().get('SKIPPED-SEGMENTS') ?? '');
    else if (tag === '#EXT-X-PART-INF') list.partTarget = optional(attributes().get('PART-TARGET'));
    else if (tag === '#EXT-X-DISCONTINUITY') current().discontinuity = true;
    else if (tag === '#EXT-X-PROGRAM-DATE-TIME') current().dateMs = Date.parse(value);
    else if (tag === '#EXTINF') current().durationSeconds = Number(value.replace(/,.*$/, ''));
    else if (tag === '#EXT-X-BYTERANGE') current().bytes = value;
    else if (tag === '#EXT-X-PART') current().parts.push(partOf(attributes()));
    else if (tag === '#EXT-X-PRELOAD-HINT') {
      list.hint = { uri: attributes().get('URI') ?? '', start: Number(attributes().get('BYTERANGE-START') ?? 0) };
    } else if (tag === '#EXT-X-ENDLIST') list.ended = true;
    else if (tag !== '#EXT-X-PLAYLIST-TYPE') throw new Error(`Unknown tag ${tag}`);
  }
  if (segment !== null) list.segments.push(segment);
  return list;
}

const split = (line: string) => {
  const at = line.indexOf(':');
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at + 1)];
};

function integer(value: string): number {
  if (!/^\d{1,20}$/.test(value)) throw new Error(`${value} is no decimal integer`);
  return Number(value);
}

const optional = (value: string | undefined) => (value === undefined ? null : Number(value));

function attributesOf(value: string): Map<string, string> {
  const pairs = [...value.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)(?:,|$)/g)];
  return new Map(pairs.map(([, name = '', text = '']) => [name, text.replaceAll('"', '')]));
}

const partOf = (attributes: Map<string, string>): ReadPart => ({
  uri: attributes.get('URI') ?? '',
  bytes: attributes.get('BYTERANGE') ?? null,
  durationSeconds: Number(attributes.get('DURATION')),
  independent: attributes.get('INDEPENDENT') === 'YES',
});

/** Returns the violations of RFC 8216 or rfc8216bis in one playlist; empty if there are none. */
export function faultsOf(list: ReadPlaylist): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, text: string) => void (holds || faults.push(text));
  must(list.targetSeconds > 0, 'no target duration (4.3.3.1)');
  for (const [i, { n, durationSeconds, uri, dateMs, parts }] of list.segments.entries()) {
    const isLast = i === list.segments.length - 1;
    must(uri !== null || (isLast && parts.length > 0), `segment ${n} has no address`);
    must(uri === null || durationSeconds !== null, `segment ${n} has no duration (4.3.2.1)`);
    must(Math.round(durationSeconds ?? 0) <= list.targetSeconds, `segment ${n} is longer than the target (4.3.3.1)`);
    must(dateMs === null || !Number.isNaN(dateMs), `segment ${n} has no date (4.3.2.6)`);
    if (parts.length > 0) faults.push(...partFaults(list, list.segments[i]!, i));
  }
  const before = new Map<number, number>();
  for (const { n, dateMs } of list.segments) {
    const last = before.get(n - 1);
    must(dateMs === null || last === undefined || dateMs > last, `the date of segment ${n} falls`);
    if (dateMs !== null) before.set(n, dateMs);
  }
  const ranges = list.segments.some(({ bytes }) => bytes !== null);
  must(!ranges || list.version >= 4, 'byte ranges need version 4 (7)');
  if (list.partTarget !== null) {
    must(
      (list.partHoldBack ?? 0) >= 3 * list.partTarget - 1e-9,
      'PART-HOLD-BACK is less than three parts (bis 4.4.3.8)',
    );
    must(list.ended || list.hint !== null, 'no PRELOAD-HINT');
  }
  const { canSkipSeconds, skipped, segments } = list;
  must(canSkipSeconds === null || canSkipSeconds >= 6 * list.targetSeconds, 'CAN-SKIP-UNTIL is too near (bis 4.4.3.8)');
  if (skipped > 0) {
    const listed = segments.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
    must(listed >= (canSkipSeconds ?? Number.POSITIVE_INFINITY), 'skips what is not behind the boundary (bis 6.2.5.1)');
    must(list.version >= 9, 'what is skipped needs version 9 (bis 8)');
  }
  must(list.holdBack === null || list.holdBack >= 3 * list.targetSeconds, 'HOLD-BACK is less than three targets');
  return faults;
}

function partFaults({ partTarget, targetSeconds, segments }: ReadPlaylist, segment: ReadSegment, at: number): string[] {
  const faults: string[] = [];
  const { n, parts, durationSeconds, uri } = segment;
  if (partTarget === null) return [`segment ${n} has parts, and there is no PART-INF (bis 4.4.3.7)`];
  for (const [i, part] of parts.entries()) {
    if (part.durationSeconds > partTarget + 1e-9)
      faults.push(`part ${n}.${i} is longer than the part target (bis 4.4.4.9)`);
    const mayBeShort = part.independent || (uri !== null && i === parts.length - 1);
    if (!mayBeShort && part.durationSeconds < 0.85 * partTarget)
      faults.push(`part ${n}.${i} is too short (bis 4.4.4.9)`);
  }
  const sum = parts.reduce((total, part) => total + part.durationSeconds, 0);
  // The durations are rounded separately.
  if (durationSeconds !== null && Math.abs(sum - durationSeconds) > 1e-4) {
    faults.push(`the parts of segment ${n} are ${sum} s of its ${durationSeconds} s`);
  }
  const after = segments.slice(at + 1).reduce((total, one) => total + (one.durationSeconds ?? 0), 0);
  if (after > 4 * targetSeconds) faults.push(`segment ${n} still has parts (bis 6.2.2)`);
  return faults;
}

/**
 * Returns the playlist that a delta update represents in combination with the player's previous one (rfc8216bis 6.3.7).
 *
 * @throws Error if the player does not have all of the omitted segments
 */
export function joined(before: ReadPlaylist, { skipped, ...delta }: ReadPlaylist): ReadPlaylist {
  const end = delta.firstN + skipped;
  const existing = before.segments.filter(({ n }) => n >= delta.firstN && n < end);
  if (existing.length !== skipped) throw new Error('The player does not have what was left out');
  return { ...delta, skipped: 0, segments: [...existing, ...delta.segments] };
}

/** Returns the rules for successive playlists (RFC 8216 6.2.1 and 6.2.2) that the second one violates. */
export function faultsBetween(before: ReadPlaylist, after: ReadPlaylist): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, text: string) => void (holds || faults.push(text));
  must(after.firstN >= before.firstN, 'the media sequence falls');
  must(after.breaks >= before.breaks, 'the discontinuity sequence falls');
  must(after.targetSeconds === before.targetSeconds, 'the target duration changes');
  must(lastPlace(after) >= lastPlace(before), 'the end goes back');
  const existing = new Map(before.segments.map((segment) => [segment.n, segment]));
  for (const segment of after.segments) {
    const was = existing.get(segment.n);
    if (!was) continue;
    must(was.uri === null || was.uri === segment.uri, `segment ${segment.n} changes its address`);
    must(was.dateMs === segment.dateMs, `segment ${segment.n} changes its date`);
    must(
      was.durationSeconds === null || was.durationSeconds === segment.durationSeconds,
      `segment ${segment.n} changes its length`,
    );
    must(breaksAt(before, was) === breaksAt(after, segment), `segment ${segment.n} changes its discontinuity sequence`);
    for (const [i, part] of was.parts.entries()) {
      const now = segment.parts[i];
      must(segment.parts.length === 0 || now?.bytes === part.bytes, `part ${segment.n}.${i} changes its bytes`);
    }
  }
  return faults;
}

/** Returns the position of the last segment and part as a single increasing number. */
export const lastPlace = ({ segments }: ReadPlaylist): number => {
  const last = segments.at(-1);
  if (last === undefined) return -1;
  return last.n + (last.uri === null ? last.parts.length / 1000 : 0.999);
};

/** Returns the discontinuity sequence number of a segment (RFC 8216 6.2.1). */
function breaksAt({ breaks, segments }: ReadPlaylist, segment: ReadSegment): number {
  return segments.reduce((sum, one) => sum + (one.n <= segment.n && one.discontinuity ? 1 : 0), breaks);
}

/**
 * Returns the violations of RFC 8216 3.2 in the bytes of a segment without EXT-X-MAP: the first two packets must be a
 * PAT, and a PMT that the PAT lists.
 */
export function tableFaults(bytes: Uint8Array): string[] {
  const [pat, pmt] = [bytes.subarray(0, 188), bytes.subarray(188, 376)];
  if (bytes.length < 376 || pat[0] !== 0x47 || pmt[0] !== 0x47) return ['does not begin with two packets'];
  if (pidOf(pat) !== 0 || tableOf(pat) !== 0x00) return ['does not begin with a PAT (3.2)'];
  const section = 5 + pat[4]!;
  const end = section + 3 + (((pat[section + 1]! & 0x0f) << 8) | pat[section + 2]!) - 4;
  const maps: number[] = [];
  for (let at = section + 8; at + 4 <= end; at += 4) maps.push(((pat[at + 2]! & 0x1f) << 8) | pat[at + 3]!);
  const isMap = maps.includes(pidOf(pmt)) && tableOf(pmt) === 0x02;
  return isMap ? [] : ['has no PMT behind its PAT (3.2)'];
}

const pidOf = (packet: Uint8Array): number => ((packet[1]! & 0x1f) << 8) | packet[2]!;

/**
 * Returns the table id of a section that begins in this packet, which must have no adaptation field; null for any other
 * packet.
 */
function tableOf(packet: Uint8Array): number | null {
  if ((packet[1]! & 0x40) === 0 || (packet[3]! & 0x30) !== 0x10) return null;
  return packet[5 + packet[4]!] ?? null;
}
