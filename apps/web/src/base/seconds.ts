/** Maximum number of seconds that the server accepts, positive or negative. */
const SECONDS_MAX = 4e9;
const US = 1_000_000;

/**
 * Parses a signed number of seconds with up to six decimals, after a point or comma. Returns microseconds; null for any
 * other text.
 */
export function microsecondsOf(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  if (!/^[+-]?(?:\d+(?:\.\d{0,6})?|\.\d{1,6})$/.test(plain)) return null;
  const seconds = Number(plain);
  return Math.abs(seconds) > SECONDS_MAX ? null : Math.round(seconds * US);
}

/**
 * Formats microseconds as signed seconds: "+2.5", "−0.04", "0". The sign shows whether times become later or earlier.
 */
export function signedSeconds(us: number): string {
  const [whole, decimals = ''] = (Math.abs(us) / US).toFixed(6).split('.');
  const fraction = decimals.replace(/0+$/, '');
  const sign = us < 0 ? '−' : '+';
  return us === 0 ? '0' : `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
