import { type KeyObject, sign, verify } from 'node:crypto';
import { releaseVersion } from '@osprey/contract';
import { z } from 'zod';

/** Bytes of an Ed25519 signature. */
export const SIGNATURE_BYTES = 64;
export const MANIFEST_MAX_BYTES = 64 * 1024;

const manifest = z.object({
  product: z.literal('osprey'),
  format: z.literal(1),
  version: releaseVersion,
  created: z.iso.datetime(),
  /** System and processor of its programs: linux-x64. */
  platform: z.string().regex(/^[a-z0-9]+-[a-z0-9]+$/),
  archive: z.object({
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    sizeBytes: z.int().nonnegative(),
    /** Bytes of its files, and their number with folders and links. */
    unpackedBytes: z.int().nonnegative(),
    entries: z.int().nonnegative(),
  }),
});
/** The signed facts of a release. */
export type ReleaseManifest = z.output<typeof manifest>;

/** The files of a package. The signature is over the bytes of the manifest, which names the archive. */
export const packageFiles = (version: string) => ({
  archive: `osprey-${version}.tar.gz`,
  manifest: `osprey-${version}.manifest.json`,
  signature: `osprey-${version}.manifest.sig`,
});

/** A package is refused; the message is a sentence that says why. */
export class PackageRefused extends Error {
  override name = 'PackageRefused';
}

export function signManifest(content: ReleaseManifest, key: KeyObject): { bytes: Buffer; signature: Buffer } {
  const bytes = Buffer.from(`${JSON.stringify(manifest.parse(content), null, 2)}\n`);
  return { bytes, signature: sign(null, bytes, key) };
}

/**
 * The content of a manifest, read only once its signature is good.
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

/** Below 0: `a` is the older. Compared as numbers of any length: 0.10.0 is newer than 0.9.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(BigInt));
  for (const [at, number] of left!.entries()) {
    const other = right![at] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  return 0;
}
