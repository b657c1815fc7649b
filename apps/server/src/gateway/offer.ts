type H264Format = { payloadType: string; profile: string };

/** A player offers one video, and maybe a sound; each part may take ports and keys of its own. */
const PARTS_MAX = 4;
/** The gateway calls each of them. A machine has some addresses, with two kinds each. */
const CANDIDATES_MAX = 64;

const ATTRIBUTE = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/;

/** Refuses an offer with too many parts, as a sentence; null for others. */
export function partsProblem(sdp: string): string | null {
  const parts = sdp.match(/^m=/gm)?.length ?? 0;
  return parts > PARTS_MAX ? `The offer has ${parts} parts, where a video and a sound are two.` : null;
}

/**
 * The offer reduced to the H.264 that fits the stream, and its retransmission; null if the browser offers none.
 *
 * The best fit has the profile of the stream. A decoder of another profile is offered if the browser names only those
 * that its hardware knows; it plays the others all the same. A level is no promise: browsers offer 3.1 and play higher
 * ones.
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

/** A browser whose address is left out is found all the same: it calls too. */
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

/** profile_idc values by how much of H.264 a decoder of theirs knows: High, Main, Baseline. */
const KNOWING_MOST = [100, 77, 66];

function chooseFormat(formats: readonly H264Format[], profile: number): H264Format | null {
  const requested = [profile, ...KNOWING_MOST];
  for (const one of requested) {
    const found = formats.find((format) => Number.parseInt(format.profile.slice(0, 2), 16) === one);
    if (found) return found;
  }
  return null;
}

/** Payload type for retransmissions of another payload type; null where the two sides agreed on none. */
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
