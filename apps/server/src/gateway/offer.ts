type H264Format = { payloadType: string; profile: string };

/**
 * Limit of media sections: a player offers one video, perhaps audio; each section may take ports and keys of its own.
 */
const PARTS_MAX = 4;
/** Limit of candidates, since the gateway contacts each. A machine has a few addresses, with two candidates each. */
const CANDIDATES_MAX = 64;

const ATTRIBUTE = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/;

/** Reason to refuse an offer with too many media sections, as a sentence; null if it is accepted. */
export function partsProblem(sdp: string): string | null {
  const parts = sdp.match(/^m=/gm)?.length ?? 0;
  return parts > PARTS_MAX ? `The offer has ${parts} parts, where a video and a sound are two.` : null;
}

/**
 * Reduces the offer to the H.264 format that fits the stream, and its retransmission; null if the browser offers no
 * H.264.
 *
 * The best fit has the stream's profile. Some browsers list only profiles that their hardware decodes, yet play others
 * too, so a decoder of another profile is accepted. The level is ignored: browsers offer 3.1 and play higher ones.
 */
export function offerFor(sdp: string, profile: number): string | null {
  const lines = sdp.split(/\r?\n/);
  const chosen = chooseFormat(formatsOf(lines), profile);
  if (chosen === null) return null;
  const retained = new Set([chosen.payloadType, ...retransmissionsOf(lines, chosen.payloadType)]);
  return callable(lines)
    .flatMap((line) => keptLine(line, retained))
    .join('\r\n');
}

/**
 * Limits the candidates. A browser whose candidate is left out is reached all the same, as it contacts the gateway
 * itself.
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

/** Values of profile_idc, those whose decoders support most of H.264 first: High, Main, Baseline. */
const KNOWING_MOST = [100, 77, 66];

function chooseFormat(formats: readonly H264Format[], profile: number): H264Format | null {
  const requested = [profile, ...KNOWING_MOST];
  for (const one of requested) {
    const found = formats.find((format) => Number.parseInt(format.profile.slice(0, 2), 16) === one);
    if (found) return found;
  }
  return null;
}

/** Payload type for retransmissions of another payload type; null if the two sides agreed on none. */
export function retransmissionOf(sdp: string, payloadType: number): number | null {
  const [type] = retransmissionsOf(sdp.split(/\r?\n/), String(payloadType));
  return type === undefined ? null : Number(type);
}

function retransmissionsOf(lines: readonly string[], payloadType: string): string[] {
  return lines.flatMap((line) => {
    const [, type, of] = /^a=fmtp:(\d+) apt=(\d+)/.exec(line) ?? [];
    return type !== undefined && of === payloadType ? [type] : [];
  });
}
