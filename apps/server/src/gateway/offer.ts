type H264Format = { payloadType: string; profile: string };

/**
 * Maximum number of media sections. A player offers one video and perhaps audio; each section may require separate
 * ports and keys.
 */
const PARTS_MAX = 4;
/**
 * Maximum number of candidates, since the gateway contacts each of them. A machine has a few addresses, with two
 * candidates each.
 */
const CANDIDATES_MAX = 64;

const ATTRIBUTE = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/;

/**
 * Returns the reason why an offer with too many media sections is refused, as a sentence; null if the offer is
 * accepted.
 */
export function partsProblem(sdp: string): string | null {
  const parts = sdp.match(/^m=/gm)?.length ?? 0;
  return parts > PARTS_MAX ? `The offer has ${parts} parts, where a video and a sound are two.` : null;
}

/**
 * Reduces the offer to the H.264 format that fits the stream, and its retransmission; null if the browser offers no
 * H.264.
 *
 * The best format has the stream's profile. Some browsers list only the profiles that their hardware decodes, although
 * they can play others too, so another profile is accepted as well. The level is ignored: browsers offer 3.1 and play
 * higher ones.
 */
export function offerFor(sdp: string, profile: number): string | null {
  const lines = sdp.split(/\r?\n/);
  const chosen = chooseFormat(formatsOf(lines), profile);
  if (chosen === null) return null;
  const retained = new Set([chosen.payloadType, ...rtxPayloadTypesOf(lines, chosen.payloadType)]);
  return callable(lines)
    .flatMap((line) => keptLine(line, retained))
    .join('\r\n');
}

/**
 * Limits the number of candidates. A browser whose candidates are left out can still be reached, since it contacts the
 * gateway itself.
 */
function callable(lines: readonly string[]): string[] {
  let candidates = 0;
  return lines.filter((line) => !line.startsWith('a=candidate:') || ++candidates <= CANDIDATES_MAX);
}

function keptLine(line: string, retained: ReadonlySet<string>): string[] {
  if (line.startsWith('m=video ')) {
    const [media, port, protocol, ...types] = line.split(' ');
    return [[media, port, protocol, ...types.filter((type) => retained.has(type))].join(' ')];
  }
  const type = ATTRIBUTE.exec(line)?.[1];
  return type === undefined || retained.has(type) ? [line] : [];
}

function formatsOf(lines: readonly string[]): H264Format[] {
  const types = lines.flatMap((line) => /^a=rtpmap:(\d+) H264\/90000$/i.exec(line)?.[1] ?? []);
  return types.flatMap((payloadType) => {
    const parameters = lines.find((line) => line.startsWith(`a=fmtp:${payloadType} `)) ?? '';
    if (!/packetization-mode=1\b/.test(parameters)) return [];
    const profile = /profile-level-id=([0-9a-f]{6})/i.exec(parameters)?.[1] ?? '420010';
    return [{ payloadType, profile: profile.toLowerCase() }];
  });
}

/** Values of profile_idc, in descending order of supported H.264 features: High, Main, Baseline. */
const PROFILES_BY_FEATURES = [100, 77, 66];

function chooseFormat(formats: readonly H264Format[], profile: number): H264Format | null {
  const requested = [profile, ...PROFILES_BY_FEATURES];
  for (const one of requested) {
    const found = formats.find((format) => Number.parseInt(format.profile.slice(0, 2), 16) === one);
    if (found) return found;
  }
  return null;
}

/** Returns the payload type for retransmissions of another payload type; null if the two sides agreed on none. */
export function retransmissionOf(sdp: string, payloadType: number): number | null {
  const [type] = rtxPayloadTypesOf(sdp.split(/\r?\n/), String(payloadType));
  return type === undefined ? null : Number(type);
}

function rtxPayloadTypesOf(lines: readonly string[], payloadType: string): string[] {
  return lines.flatMap((line) => {
    const [, type, of] = /^a=fmtp:(\d+) apt=(\d+)/.exec(line) ?? [];
    return type !== undefined && of === payloadType ? [type] : [];
  });
}
