import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import type { Orders } from '../recorder-wire/protocol.ts';
import { orderStore } from './order-store.ts';

const log = pino({ level: 'silent' });

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'osprey-orders-'));
  atEnd(() => rm(made, { recursive: true, force: true }));
  return join(made, 'live');
}

const named = (name: string): Orders => ({
  platforms: [
    {
      ...{ platformId: '00000000-0000-4000-8000-000000000001', name, description: '', type: 'Plane', color: '#fff' },
      ...{ classification: 1, marked: true, audience: 'everyone', usergroups: [], priority: 1, sensors: [] },
      record: { onPresence: false, schedule: [], preRollSeconds: 0 },
    },
  ],
});

it('keeps the last orders, for its own account alone, without a half-written file', async () => {
  const live = await folder();
  const store = orderStore({ folder: live, log });
  expect(await store.load()).toBeNull();

  const saves = ['one', 'two', 'three'].map((name) => store.save(named(name)));
  await Promise.all(saves);

  expect(await orderStore({ folder: live, log }).load()).toEqual(named('three'));
  expect(await readdir(live)).toEqual(['orders.json']);
  expect((await stat(join(live, 'orders.json'))).mode & 0o777).toBe(0o600);
});

it('waits for new orders where the old ones cannot be read', async () => {
  const live = await folder();
  const store = orderStore({ folder: live, log });
  await store.save(named('one'));
  await writeFile(join(live, 'orders.json'), '{"platforms": [');

  expect(await store.load()).toBeNull();
});
