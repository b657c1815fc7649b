/** Range of a mission's clock by which a typed time is interpreted, in UTC microseconds. */
export type MissionSpan = { startUs: number; endUs: number };

const UNIT_US = { s: 1e6, m: 60e6, h: 3600e6 } as const;
const DAY_US = 86_400e6;

/**
 * Parses a typed moment: a time of day in UTC (`09:30`, `09:30:15.5`) on the mission's day; an offset from its start
 * (`+90`, `+2m`, `+1h`) or from its end (`-30s`); or a date with a time (`2026-06-01 09:30`, ISO 8601).
 *
 * @returns UTC microseconds, or null if the text is no moment
 */
export function parseMoment(text: string, { startUs, endUs }: MissionSpan): number | null {
  const written = text.trim().toLowerCase();
  const distance = /^([+-])(\d{1,6}(?:\.\d{1,3})?)([smh]?)$/.exec(written);
  if (distance) {
    const [, sign, number, unit] = distance;
    const lengthUs = Number(number) * UNIT_US[(unit || 's') as keyof typeof UNIT_US];
    return sign === '+' ? startUs + lengthUs : endUs - lengthUs;
  }
  const time = /^(?:(\d{4}-\d{2}-\d{2})[t ])?(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,6})?))?\s*z?$/.exec(written);
  if (!time) return null;
  const [, date, hour, minute, second = '0'] = time;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) >= 60) return null;
  const ofDayUs = Number(hour) * UNIT_US.h + Number(minute) * UNIT_US.m + Number(second) * UNIT_US.s;
  const dayUs = date === undefined ? startUs - (startUs % DAY_US) : Date.parse(`${date}T00:00:00Z`) * 1000;
  if (Number.isNaN(dayUs)) return null;
  const atUs = dayUs + ofDayUs;
  // In a flight over midnight, an earlier time of day is on the second day.
  return date === undefined && atUs < startUs && atUs + DAY_US <= endUs ? atUs + DAY_US : atUs;
}
