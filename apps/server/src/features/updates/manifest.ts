import { type KeyObject, sign, verify } from 'node:crypto';
import { releaseVersion } from '@osprey/contract';
import { z } from 'zod';

/** Size of an Ed25519 signature in bytes. */
export const SIGNATURE_BYTES = 64;
export const MANIFEST_MAX_BYTES = 64 * 1024;

const manifest = z.object({
  product: z.literal('osprey'),
  format: z.literal(1),
  version: releaseVersion,
  created: z.iso.datetime(),
  /** Operating system and processor architecture of its programs, for example linux-x64. */
  platform: z.string().regex(/^[a-z0-9]+-[a-z0-9]+$/),
  archive: z.object({
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    sizeBytes: z.int().nonnegative(),
    /** Total size of its files in bytes, and the number of files, folders and links. */
    unpackedBytes: z.int().nonnegative(),
    entries: z.int().nonnegative(),
  }),
});
/** The signed description of a release. */
export type ReleaseManifest = z.output<typeof manifest>;

/** File names of a package. The signature covers the bytes of the manifest, which contains the hash of the archive. */
export const packageFiles = (version: string) => ({
  archive: `osprey-${version}.tar.gz`,
  manifest: `osprey-${version}.manifest.json`,
  signature: `osprey-${version}.manifest.sig`,
});

/** Thrown if a package is refused; the message is a sentence that gives the reason. */
export class PackageRefused extends Error {
  override name = 'PackageRefused';
}

export function signManifest(content: ReleaseManifest, key: KeyObject): { bytes: Buffer; signature: Buffer } {
  const bytes = Buffer.from(`${JSON.stringify(manifest.parse(content), null, 2)}\n`);
  return { bytes, signature: sign(null, bytes, key) };
}

/**
 * Parses a manifest after verifying its signature.
 *
 * @throws PackageRefused
 */
export function verifiedManifest(bytes: Buffer, signature: Buffer, key: KeyObject): ReleaseManifest {
  if (signature.length !== SIGNATURE_BYTES || !verify(null, bytes, key, signature)) {
    throw new PackageRefused(
      'Its signature does not fit: the manifest was changed, or signed with another key than that of this server.',
    );
  }
  const parsed = manifest.safeParse(jsonOf(bytes));
  if (!parsed.success) throw new PackageRefused('Its manifest is signed, but not one that this version can read.');
  return parsed.data;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * Compares versions; negative if `a` is older. The parts are compared as numbers of any length: 0.10.0 is newer than
 * 0.9.0.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(BigInt));
  for (const [at, number] of left!.entries()) {
    const other = right![at] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  return 0;
}
