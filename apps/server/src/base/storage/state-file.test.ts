import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeState, putState } from './state-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'osprey-state-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const [one, other] = ['a'.repeat(200_000), 'b'.repeat(300_000)];

/** A process that puts both contents in turn, until it is killed. */
const putting = (path: string) =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `
    const { putState } = await import(${JSON.stringify(new URL('./state-file.ts', import.meta.url).href)});
    process.stdout.write('begun');
    for (;;) {
      await putState(${JSON.stringify(path)}, 'b'.repeat(300_000));
      await putState(${JSON.stringify(path)}, 'a'.repeat(200_000));
    }`,
  ]);

describe('a file of state', () => {
  it('is one of its contents, whole, for every reader and after each kill of its writer', async () => {
    const path = join(folder, 'put');
    await putState(path, one);
    const seen = new Set<string>();
    for (let kill = 0; kill < 5; kill++) {
      const child = putting(path);
      await once(child.stdout, 'data');
      for (let read = 0; read < 50 + 17 * kill; read++) seen.add(await readFile(path, 'utf8'));
      child.kill('SIGKILL');
      await once(child, 'exit');
      seen.add(await readFile(path, 'utf8'));
    }

    expect([...seen].map((text) => text.length).sort()).toEqual([one.length, other.length]);
    expect([...seen].every((text) => text === one || text === other)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('with the same content is not written again, and gets its mode back', async () => {
    const path = join(folder, 'same');
    await writeFile(path, 'key', { mode: 0o644 });
    const before = await stat(path);

    await putState(path, 'key');

    const after = await stat(path);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(after.mode & 0o777).toBe(0o600);
  });

  it('is made once by many at the same time, and leaves nothing else', async () => {
    const path = join(folder, 'alone', 'made');

    const held = await Promise.all(['x', 'y', 'z'].map((content) => makeState(path, content)));

    expect(new Set(held).size).toBe(1);
    expect(await readFile(path, 'utf8')).toBe(held[0]);
    expect(await readdir(join(folder, 'alone'))).toEqual(['made']);
  });
});
