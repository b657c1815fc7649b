/** The ring cuts at the first key frame after two seconds. */
const SEGMENT_SECONDS = 2;

/** EXT-X-TARGETDURATION: no segment, rounded, is longer (RFC 8216 4.3.3.1). Grows only where key frames come seldom. */
export const targetSeconds = (segments: readonly { durationSeconds: number }[]): number =>
  segments.reduce((longest, { durationSeconds }) => Math.max(longest, Math.round(durationSeconds)), SEGMENT_SECONDS);

/** Longest wait of a reload: after three segments that did not come the stream has most likely stopped. */
export const patienceSeconds = (segments: readonly { durationSeconds: number }[]): number =>
  3 * targetSeconds(segments);

export const dateTag = (timeUs: number): string =>
  `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(timeUs / 1000)).toISOString()}`;

/** Seconds, to the tick and finer. */
export const decimal = (seconds: number): string => seconds.toFixed(5);

/** Goes into every address, for clients without the cookie. */
export const queryOf = (token: string | null): string => (token === null ? '' : `?token=${encodeURIComponent(token)}`);
