/** Target duration of ring segments, in seconds: the ring cuts at the first key frame after two seconds. */
const SEGMENT_SECONDS = 2;

/**
 * EXT-X-TARGETDURATION: no rounded segment duration may be longer (RFC 8216, 4.3.3.1). Larger than the default only if
 * key frames are rare.
 */
export const targetSeconds = (segments: readonly { durationSeconds: number }[]): number =>
  segments.reduce((longest, { durationSeconds }) => Math.max(longest, Math.round(durationSeconds)), SEGMENT_SECONDS);

/**
 * Maximum wait of a blocking reload, in seconds: if three successive segments are missing, the stream has most likely
 * stopped.
 */
export const patienceSeconds = (segments: readonly { durationSeconds: number }[]): number =>
  3 * targetSeconds(segments);

export const dateTag = (timeUs: number): string =>
  `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(timeUs / 1000)).toISOString()}`;

/** Formats seconds with a precision better than a 90 kHz tick. */
export const decimal = (seconds: number): string => seconds.toFixed(5);

/** Query with the token, added to every URL for clients without the cookie. */
export const queryOf = (token: string | null): string => (token === null ? '' : `?token=${encodeURIComponent(token)}`);
