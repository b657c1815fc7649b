/** Most sentences of one source (trust.md): the rest is dropped and counted. */
export const SENTENCES_PER_SECOND = 5000;

/** A bucket of sentences that fills with time; a second's worth may come at once. */
export function sentenceLimit(perSecond = SENTENCES_PER_SECOND) {
  let left = perSecond;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    takes(nowMs: number): boolean {
      left = Math.min(perSecond, left + ((nowMs - lastMs) * perSecond) / 1000);
      lastMs = nowMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
