import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { keepChild } from './keep-child.ts';
import type { StartMessage } from './messages.ts';

/** Says as its port with how many threads it reads, 0 for as many as Node takes by itself. */
const CHILD = `process.send({ kind: 'ready', port: Number(process.env.UV_THREADPOOL_SIZE ?? 0) });
process.on('message', () => {});
`;
let folder: string;
let script: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-child-'));
  script = join(folder, 'child.mjs');
  await writeFile(script, CHILD);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

async function readingThreads(role: string): Promise<number | null> {
  const child = keepChild({ script, role, order: () => ({}) as StartMessage, onRestart: () => {} });
  try {
    return await child.ready;
  } finally {
    await child.stop();
  }
}

it('reads files with one thread in the worker, which needs the other processor for its own', async () => {
  vi.stubEnv('UV_THREADPOOL_SIZE', undefined);
  expect(await readingThreads('worker')).toBe(1);
  expect(await readingThreads('api')).toBe(0);
});

it('takes the number that its environment sets', async () => {
  vi.stubEnv('UV_THREADPOOL_SIZE', '3');
  expect(await readingThreads('worker')).toBe(3);
});
