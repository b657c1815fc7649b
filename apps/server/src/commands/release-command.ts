import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PRODUCT_VERSION } from '@osprey/contract';
import { packageFiles } from '../features/updates/manifest.ts';
import { type Packed, packRelease } from '../features/updates/pack.ts';
import { ownPlatform } from '../features/updates/packages.ts';
import { billOfMaterials, type Component, componentsOf } from './bill-of-materials.ts';
import { releaseTree } from './release-tree.ts';

export const releaseCommandHelp = `npm run release -- <command> [options]     signed update packages; needs no network

  keys --out <file>        makes a pair of Ed25519 keys: the private half in the file, which belongs elsewhere than on a
                           server, and the public one in <file>.pub, which servers get as OSPREY_UPDATE_KEY
  pack --key <file>        builds this checkout and packs it: osprey-X.Y.Z.tar.gz with its manifest and the signature
    --out <folder>         where they go; left out, releases in the checkout
  --help                   this text

The package holds the built server and client, the packages of production as the lockfile has them, and a bill of
materials (sbom.cdx.json). It runs on machines like this one: ${ownPlatform()}.
`;

/** A wrong argument or value; the message says what is allowed. */
export class ReleaseCommandError extends Error {
  override name = 'ReleaseCommandError';
}

/** Path of the bill of materials in a release. */
export const BILL = 'sbom.cdx.json';
/** Mode bits of a file that other accounts may read or change. */
const OTHERS = 0o077;

type Deps = { root: string; say: (line: string) => void; now: () => Date };

export async function runReleaseCommand(deps: Deps, args: readonly string[]): Promise<void> {
  const { command, key, out } = read(args);
  if (command === 'keys' && out !== undefined) return makeKeys(deps, resolve(out));
  if (command === 'pack' && key !== undefined) {
    return pack(deps, { key: await privateKey(resolve(key)), output: resolve(out ?? join(deps.root, 'releases')) });
  }
  throw new ReleaseCommandError('Say keys --out <file>, or pack --key <file>. See npm run release -- --help.');
}

function read(args: readonly string[]) {
  try {
    const options = { key: { type: 'string' }, out: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length !== 1) throw new Error('One command is needed');
    return { command: positionals[0], ...values };
  } catch (error) {
    throw new ReleaseCommandError(`${(error as Error).message}. See npm run release -- --help.`);
  }
}

async function makeKeys({ say }: Deps, path: string): Promise<void> {
  const { privateKey: own, publicKey } = generateKeyPairSync('ed25519');
  const pem = own.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(path, pem, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new ReleaseCommandError(`${path} is there already: a key is never replaced. Choose another name.`);
  });
  await writeFile(`${path}.pub`, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644 });
  say(`Private key: ${path}. Keep it off the servers, with a copy in a safe place.`);
  say(`Public key:  ${path}.pub. Each server gets it: OSPREY_UPDATE_KEY=${path}.pub`);
}

/** @throws ReleaseCommandError if other accounts can read the file, or it holds no key */
async function privateKey(path: string): Promise<KeyObject> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new ReleaseCommandError(`${path} is missing. Make keys with npm run release -- keys.`);
  if ((found.mode & OTHERS) !== 0)
    throw new ReleaseCommandError(`Other accounts may read ${path}: run chmod 600 on it.`);
  try {
    const key = createPrivateKey(await readFile(path));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // An unreadable or invalid key is reported below.
  }
  throw new ReleaseCommandError(`${path} holds no private Ed25519 key in PEM.`);
}

async function pack({ root, say, now }: Deps, { key, output }: { key: KeyObject; output: string }): Promise<void> {
  const created = now();
  const components = await componentsOf(root);
  await mkdir(output, { recursive: true });
  const { archive } = await packRelease({
    entries: contents(root, components, created),
    version: PRODUCT_VERSION,
    platform: ownPlatform(),
    created,
    key,
    output,
  });
  const files = packageFiles(PRODUCT_VERSION);
  say(`${join(output, files.archive)}: ${(archive.sizeBytes / 1e6).toFixed(1)} MB, ${components.length} packages.`);
  say(`Give servers all three files: ${Object.values(files).join(', ')}.`);
}

async function* contents(root: string, components: readonly Component[], created: Date): AsyncGenerator<Packed> {
  const bill = billOfMaterials(components, { version: PRODUCT_VERSION, created });
  yield { path: BILL, bytes: Buffer.from(`${JSON.stringify(bill, null, 2)}\n`) };
  yield* releaseTree(root, components);
}
