const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const WINDOW = /^(\w{3})(?:-(\w{3}))? (\d\d):(\d\d)-(\d\d):(\d\d)$/;
const DAY_MINUTES = 24 * 60;

/**
 * Whether a time lies within one of the weekly windows, given in UTC in the format of the contract's `recordWindow`.
 * The end of a window is excluded.
 */
export const isScheduled = (windows: readonly string[], timeUs: number): boolean =>
  windows.some((window) => isWithin(window, new Date(timeUs / 1000)));

/** A window whose end hour is earlier than its start hour passes midnight; its day is the day on which it begins. */
function isWithin(window: string, at: Date): boolean {
  const found = WINDOW.exec(window);
  if (found === null) return false;
  const [first, last] = [DAYS.indexOf(found[1]!), DAYS.indexOf(found[2] ?? found[1]!)];
  const [from, to] = [minutes(found[3]!, found[4]!), minutes(found[5]!, found[6]!)];
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
  const day = at.getUTCDay();
  const isDay = (requested: number) =>
    first <= last ? requested >= first && requested <= last : requested >= first || requested <= last;
  if (from < to) return isDay(day) && minute >= from && minute < to;
  return (isDay(day) && minute >= from && minute < DAY_MINUTES) || (isDay((day + 6) % 7) && minute < to);
}

const minutes = (hours: string, rest: string): number => Number(hours) * 60 + Number(rest);
