/** Steps between lines in degrees; they are whole degrees, minutes or seconds. */
const STEPS = [
  30,
  15,
  10,
  5,
  2,
  1,
  30 / 60,
  15 / 60,
  10 / 60,
  5 / 60,
  2 / 60,
  1 / 60,
  30 / 3600,
  15 / 3600,
  10 / 3600,
  5 / 3600,
  2 / 3600,
  1 / 3600,
] as const;

/** Returns the finest step that gives at most `most` lines over the span. */
export function stepFor(spanDeg: number, most: number): number {
  let best: number = STEPS[0];
  for (const step of STEPS) if (spanDeg / step <= most) best = step;
  return best;
}

/** Returns the degrees of the lines between two borders. */
export function linesBetween(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** Formats the degrees of a line: "37°34'N", with seconds only if the step requires them. */
export function lineLabel(degrees: number, step: number, sides: readonly [plus: string, minus: string]): string {
  const longitude = sides[0] === 'E' ? ((((degrees + 180) % 360) + 360) % 360) - 180 : degrees;
  const seconds = Math.round(Math.abs(longitude) * 3600);
  const [whole, minute, second] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const minutes = step < 1 ? `${twoDigits(minute)}'` : '';
  const rest = step < 1 / 60 ? `${twoDigits(second)}"` : '';
  const side = seconds === 0 ? '' : longitude < 0 ? sides[1] : sides[0];
  return `${whole}°${minutes}${rest}${side}`;
}
