import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** Target of addresses in bad files: the discard port, on which only this test listens. */
const PORT = 9;
/** The file that they try to write. */
const ESCAPED = 'osprey_escape.txt';
const GROWTH_MAX_MIB = 256;

const peakMib = (): number => process.resourceUsage().maxRSS / 1024;

const foldersAbove = (folder: string): string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...foldersAbove(dirname(folder))];

/**
 * Holds for the tests of a file, or of the `describe` it is called in, what bad/EXPECT.md says of every bad file: no connection to 127.0.0.1:9, no file named
 * osprey_escape.txt in the folder, above it or where the server runs, and memory that grows by less than 256 MB.
 */
export function expectHarmless(folder: () => string): void {
  let connections = 0;
  let listener: Server | null = null;
  let before = 0;

  beforeAll(async () => {
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    // Other tests that run meanwhile listen too; without the right to this port the other two are still seen.
    listener = await new Promise((resolve) => {
      server.once('error', () => resolve(null));
      server.listen({ port: PORT, host: '127.0.0.1', reusePort: true }, () => resolve(server));
    });
    before = peakMib();
  });

  afterAll(() => {
    listener?.close();
    const places = [...foldersAbove(folder()), ...foldersAbove(process.cwd()), tmpdir()];
    const inside = readdirSync(folder(), { recursive: true }).map(String);
    expect(connections).toBe(0);
    expect(places.filter((place) => existsSync(join(place, ESCAPED)))).toEqual([]);
    expect(inside.filter((path) => basename(path) === ESCAPED)).toEqual([]);
    expect(peakMib() - before).toBeLessThan(GROWTH_MAX_MIB);
  });
}
