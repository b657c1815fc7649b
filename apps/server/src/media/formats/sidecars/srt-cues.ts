import { digitsOf } from '../../../base/formats/numbers.ts';

/** One subtitle: its start in microseconds from the beginning of the video, and its lines joined by spaces. */
export type Cue = { timeUs: number; text: string };

const TIMING = /^(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})\s*-->/;
const DATED = /^(\d{4})[.-](\d{1,2})[.-](\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:[,.](\d{1,3}))?/;
const NUMBER = /^\s*\d+\s*$/;
/** Maximum number of lines of a cue; a usual cue has about five. */
const CUE_LINES_MAX = 40;

/**
 * Yields the cues of a subtitle file. A cue begins at a line of times or, in logs without times, at a date below the
 * number of a cue. Blank lines do not separate cues: they may be missing between cues, and may occur within them.
 */
export async function* readCues(lines: AsyncIterable<string>): AsyncGenerator<Cue> {
  let firstDateUs: number | null = null;
  let open: { timing: string; lines: string[] } | null = null;
  let before = '';

  function closed(): Cue | null {
    if (open === null) return null;
    const { timing, lines } = open;
    const dateUs = [timing, ...lines].map(dateOf).find((one) => one !== null) ?? null;
    firstDateUs ??= dateUs;
    const timeUs = TIMING.test(timing) ? timeOf(timing) : (dateUs ?? 0) - (firstDateUs ?? 0);
    // Autel separates lines within a cue by this sequence.
    return { timeUs, text: [...(TIMING.test(timing) ? [] : [timing]), ...lines].join(' ').replaceAll('\\N', ' ') };
  }

  for await (const raw of lines) {
    const line = raw.trim();
    if (line === '') continue;
    if (TIMING.test(line) || (DATED.test(line) && NUMBER.test(before))) {
      // The last line is the number of the cue that begins here.
      if (NUMBER.test(before) && open?.lines.at(-1) === before) open.lines.pop();
      const cue = closed();
      if (cue !== null) yield cue;
      open = { timing: line, lines: [] };
    } else if (open !== null && open.lines.length < CUE_LINES_MAX) open.lines.push(line);
    before = line;
  }
  const last = closed();
  if (last !== null) yield last;
}

function timeOf(line: string): number {
  const [, hours, minutes, seconds, fraction = ''] = TIMING.exec(line) ?? [];
  const whole = digitsOf(hours) * 3600 + digitsOf(minutes) * 60 + digitsOf(seconds);
  return whole * 1_000_000 + digitsOf(fraction.padEnd(3, '0')) * 1000;
}

/** Parses a local date as if it were UTC, since only differences are used. */
function dateOf(line: string): number | null {
  const [found, year, month, day, hours, minutes, seconds, ms = '0'] = DATED.exec(line) ?? [];
  if (found === undefined) return null;
  const whole = Date.UTC(
    digitsOf(year),
    digitsOf(month) - 1,
    digitsOf(day),
    digitsOf(hours),
    digitsOf(minutes),
    digitsOf(seconds),
  );
  return (whole + digitsOf(ms.padEnd(3, '0'))) * 1000;
}
