import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});

/** A package contained in a release. */
export type Component = {
  /** Folder relative to the root: node_modules/a/node_modules/b. */
  path: string;
  name: string;
  version: string;
  licence: string;
  /** Integrity as in the lockfile: `sha512-` and base64; null: none. */
  integrity: string | null;
};

/** Installed packages differ from the lockfile; the message names the first that does. */
export class NotAsLocked extends Error {
  override name = 'NotAsLocked';
}

/**
 * Installed production packages, as listed in the lockfile. Optional packages, which are those of other platforms, may
 * be missing.
 *
 * @throws NotAsLocked if a version differs, or a package is missing
 */
export async function componentsOf(root: string): Promise<Component[]> {
  const { packages } = lockfile.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const found: Component[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link || entry.dev) continue;
    const installed = await packageIn(join(root, path));
    if (installed === null && (entry.optional || entry.devOptional)) continue;
    if (installed?.version !== entry.version) {
      const is = installed === null ? 'is missing' : `is ${installed.version}`;
      throw new NotAsLocked(`${path} ${is}, and the lockfile has ${entry.version}: run npm ci --ignore-scripts.`);
    }
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = entry.license ?? installed?.license ?? 'unknown';
    found.push({ path, name, version: entry.version ?? '', licence, integrity: entry.integrity ?? null });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function packageIn(folder: string): Promise<{ version: string; license?: string } | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { version = '', license, licenses } = JSON.parse(text) as Record<string, unknown>;
  const named = license ?? (Array.isArray(licenses) ? licenses[0] : undefined);
  const licence = typeof named === 'object' && named !== null && 'type' in named ? named.type : named;
  return { version: String(version), ...(typeof licence === 'string' && { license: licence }) };
}

/**
 * Bill of materials as CycloneDX 1.6 (ECMA-424) in JSON: every package with its version, hash and licence. The same
 * input gives the same bytes.
 */
export function billOfMaterials(
  components: readonly Component[],
  { version, created }: { version: string; created: Date },
) {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex');
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      timestamp: created.toISOString(),
      component: { type: 'application', name: 'osprey', version, licenses: [{ license: { id: 'Apache-2.0' } }] },
    },
    components: components.map(({ path, name, version: of, licence, integrity }) => ({
      type: 'library',
      'bom-ref': path,
      name,
      version: of,
      purl: `pkg:npm/${name.replace('@', '%40')}@${of}`,
      ...(integrity?.startsWith('sha512-') && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
      }),
      licenses: [licenceOf(licence)],
    })),
  };
}

/** Licence as an SPDX expression if it is one, otherwise as a name. */
const licenceOf = (licence: string) =>
  / (?:AND|OR|WITH) /.test(licence) ? { expression: licence } : { license: { name: licence } };
