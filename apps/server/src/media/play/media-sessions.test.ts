import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AuditNote } from '../../base/audit/request-audit.ts';
import { type Fetched, mediaSessions } from './media-sessions.ts';

let notes: AuditNote[];
beforeEach(() => {
  notes = [];
  vi.useFakeTimers({ now: Date.UTC(2026, 5, 1) });
});
afterEach(() => void vi.useRealTimers());

const nowUs = () => Date.now() * 1000;
const atUs = (second: number) => (Date.UTC(2026, 5, 2) + second * 1000) * 1000;

function viewing() {
  const sessions = mediaSessions({ nowMs: Date.now, nowUs, log: console });
  const actor = { id: 'u1' } as Parameters<typeof sessions.read>[0]['actor'];
  const mission = { id: 'm1', securityClassification: 'SECRET', usergroups: [] } as const;
  const audit = { write: async (note: AuditNote) => void notes.push(note) } as Parameters<
    typeof sessions.read
  >[0]['audit'];
  const read = (fetched: Fetched | null, sensorId = 's1') =>
    sessions.read({ actor, via: 'one', mission, sensorId, audit }, fetched);
  return { read, close: sessions.close };
}

const ends = () => notes.filter(({ action }) => action === 'media.end').map(({ result }) => result);

it('ends a viewing once nothing was asked for a minute, with all times that were seen', async () => {
  const { read, close } = viewing();
  await read(null);
  await read({ bytes: 100, contentSpan: [atUs(10), atUs(12)] });
  await vi.advanceTimersByTimeAsync(50_000);
  await read({ bytes: 20, contentSpan: [atUs(4), atUs(6)] });
  // Its time is unknown, or no date can hold it.
  await read({ bytes: 3, contentSpan: null });
  await read({ bytes: 4, contentSpan: [Number.NaN, atUs(99)] });
  await read({ bytes: 5, contentSpan: [atUs(0), 1e19] });
  await read({ bytes: 0, contentSpan: [atUs(0), atUs(1)] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends()).toEqual([]);

  await vi.advanceTimersByTimeAsync(10_000);

  expect(ends()).toEqual(['sensor s1; 132 bytes; 2026-06-02T00:00:04.000Z/2026-06-02T00:00:12.000Z']);
  await close();
  expect(notes.map(({ action }) => action)).toEqual(['media.begin', 'media.end']);
});

it('reports pictures that are sent as they come from when to when they came', async () => {
  const { read, close } = viewing();
  await read(null);
  await vi.advanceTimersByTimeAsync(20_000);
  await read({ bytes: 7, contentSpan: 'now' });
  await read(null, 'silent');
  await read({ bytes: 0, contentSpan: 'now' }, 'silent');

  await close();

  expect(ends()).toEqual([
    'sensor s1; 7 bytes; 2026-06-01T00:00:00.000Z/2026-06-01T00:00:20.000Z',
    'sensor silent; 0 bytes',
  ]);
});
