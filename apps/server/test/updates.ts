import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Packed, packRelease } from '../src/features/updates/pack.ts';
import { ownPlatform } from '../src/features/updates/packages.ts';
import { atEnd } from './cleanup.ts';

/** A release without the product: a program that says which version it is. */
const TINY: readonly Packed[] = [
  { path: 'dist/server/main.js', bytes: Buffer.from('process.exit(3);\n') },
  { path: 'node_modules/tiny/index.js', bytes: Buffer.from('export {};\n') },
  { path: 'node_modules/link', target: 'tiny/index.js' },
];

export type UpdateFolder = Awaited<ReturnType<typeof updateFolder>>;

/** A folder for packages, and the keys of a site. */
export async function updateFolder() {
  const root = await mkdtemp(join(tmpdir(), 'osprey-test-updates-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyFile = join(root, 'update.pub');
  await writeFile(keyFile, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 });
  return {
    folder: root,
    keyFile,
    pack: (version: string, { key = privateKey, entries = TINY, platform = ownPlatform() }: Partial<Packing> = {}) =>
      packRelease({ entries, version, platform, created: new Date(1_790_000_000_000), key, output: root }),
  };
}

type Packing = { key: KeyObject; entries: AsyncIterable<Packed> | Iterable<Packed>; platform: string };

/** Program of a release that answers the health check and says its version, and nothing else. */
export const tinyRelease = (version: string, { status = 'up', switchAfterMs = 0 } = {}): string => `
  import { createServer } from 'node:http';
  const answers = { '/api/health': { status: ${JSON.stringify(status)} }, '/api/info': { serverVer: ${JSON.stringify(version)} } };
  const server = createServer(({ url }, answer) => answer.end(JSON.stringify(answers[url] ?? {})));
  server.listen(Number(process.env.OSPREY_PORT ?? 0), '127.0.0.1', () => {
    const { port } = server.address();
    process.stdout.write('Osprey is ready: http://127.0.0.1:' + port + '\\n');
    process.send({ kind: 'ready', host: '127.0.0.1', port, tls: false });
  });
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
  if (${switchAfterMs} > 0) setTimeout(() => process.send({ kind: 'switch' }, () => process.exit(0)), ${switchAfterMs});
`;
