import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ReadItem, readSessions } from './read-sessions.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

const secret: ReadItem = { id: 'm1', label: 'SECRET' };

function start() {
  const rows: string[] = [];
  const warned: object[] = [];
  let fails = false;
  let atMs = 0;
  const audit = {
    write: async ({ action, itemId, itemLabel, result }: Record<string, unknown>) => {
      if (fails) throw new Error('the database is away');
      rows.push([action, itemId, itemLabel, result].join(' '));
    },
  };
  const sessions = readSessions({
    action: 'coverage.read',
    nowMs: () => atMs,
    log: { warn: (fields) => void warned.push(fields) },
  });
  const read = (who: string, item: ReadItem) => sessions.read(who, [item], audit as never);
  const pass = async (seconds: number) => {
    atMs += seconds * 1000;
    await vi.advanceTimersByTimeAsync(seconds * 1000);
  };
  const fail = (next: boolean) => {
    fails = next;
  };
  return { rows, warned, read, pass, close: sessions.close, fail };
}

it('writes one row when a reading begins and one when it ends, however often a page asks', async () => {
  const { rows, read, pass, close } = start();
  for (let minute = 0; minute < 5; minute += 1) {
    await read('u1', secret);
    await pass(60);
  }
  await read('u2', secret);
  expect(rows).toEqual(['coverage.read m1 SECRET opened', 'coverage.read m1 SECRET opened']);
  await pass(60);
  expect(rows.slice(2)).toEqual(['coverage.read m1 SECRET closed']);
  await close();
  expect(rows.slice(3)).toEqual(['coverage.read m1 SECRET closed']);
});

it('writes nothing of what is UNCLASSIFIED, and another row where a label rose', async () => {
  const { rows, read, close } = start();
  await read('u1', { id: 'm1', label: 'UNCLASSIFIED' });
  expect(rows).toEqual([]);
  await read('u1', { id: 'm1', label: 'RESTRICTED' });
  await read('u1', secret);
  await read('u1', { id: 'm1', label: 'RESTRICTED' });
  expect(rows).toEqual(['coverage.read m1 RESTRICTED opened', 'coverage.read m1 SECRET opened']);
  await close();
});

it('refuses a reading that cannot be audited, and goes on after an end that cannot', async () => {
  const { rows, warned, read, pass, close, fail } = start();
  fail(true);
  await expect(read('u1', secret)).rejects.toThrow('away');
  fail(false);
  await read('u1', secret);
  fail(true);
  await pass(120);
  expect(warned).toHaveLength(1);
  fail(false);
  await read('u1', secret);
  expect(rows).toHaveLength(2);
  await close();
});
