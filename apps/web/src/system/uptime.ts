import { useEffect, useState } from 'react';
import { formatCount, NONE } from '../base/format.ts';

const DAY_SECONDS = 86_400;
const dayWords = { one: '1 day', many: '{count} days' };

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
const daysOf = (seconds: number) => Math.floor(seconds / DAY_SECONDS);

/** Formats an uptime: "04:12:51", from one day on "3 days, 04:12:51"; a dash if there is none. */
export function formatUptime(seconds: number | null): string {
  if (seconds === null) return NONE;
  const days = daysOf(seconds);
  const clock = `${twoDigits((seconds % DAY_SECONDS) / 3600)}:${twoDigits((seconds % 3600) / 60)}:${twoDigits(seconds % 60)}`;
  return days === 0 ? clock : `${formatCount(days, dayWords)}, ${clock}`;
}

/** Formats the uptime of the machine: "41 days", below one day as hours, minutes and seconds. */
export function formatSystemUptime(seconds: number | null): string {
  const days = seconds === null ? 0 : daysOf(seconds);
  return days === 0 ? formatUptime(seconds) : formatCount(days, dayWords);
}

/** Returns the whole seconds since a moment (UTC microseconds), updated each second; null if there is none. */
export function useSecondsSince(sinceUs: number | null): number | null {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (sinceUs === null) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [sinceUs]);
  return sinceUs === null ? null : Math.max(0, Math.floor((nowMs - sinceUs / 1000) / 1000));
}
