/** As the server takes it, in either direction. */
const SECONDS_MAX = 4e9;
const US = 1_000_000;

/** Seconds with a sign and up to six decimals, point or comma, as microseconds; null for what is no such number. */
export function microsecondsOf(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  if (!/^[+-]?(?:\d+(?:\.\d{0,6})?|\.\d{1,6})$/.test(plain)) return null;
  const seconds = Number(plain);
  return Math.abs(seconds) > SECONDS_MAX ? null : Math.round(seconds * US);
}

/** "+2.5", "−0.04", "0": seconds with the sign that says whether times become later or earlier. */
export function signedSeconds(us: number): string {
  const [whole, decimals = ''] = (Math.abs(us) / US).toFixed(6).split('.');
  const fraction = decimals.replace(/0+$/, '');
  const sign = us < 0 ? '−' : '+';
  return us === 0 ? '0' : `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
