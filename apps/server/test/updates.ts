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

type Packing = { key: KeyObject; entries: readonly Packed[]; platform: string };
