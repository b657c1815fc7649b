const MINUTE = 60;
const HOUR = 3600;

/** Formats a duration for a sentence: `5.3 s`, `2 min 5 s`, `1 h 0 min 7 s`. */
export function durationText(seconds: number): string {
  if (seconds < MINUTE) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = `${Math.floor((whole % HOUR) / MINUTE)} min ${whole % MINUTE} s`;
  return whole < HOUR ? minutes : `${Math.floor(whole / HOUR)} h ${minutes}`;
}
