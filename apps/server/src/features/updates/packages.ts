import { createHash, type KeyObject } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UpdatePackage, Updates } from '@osprey/contract';
import { publicKey } from '../../base/audit/signing-key.ts';
import {
  compareVersions,
  MANIFEST_MAX_BYTES,
  PackageRefused,
  packageFiles,
  type ReleaseManifest,
  SIGNATURE_BYTES,
  verifiedManifest,
} from './manifest.ts';

const ARCHIVE = /^osprey-(\d+\.\d+\.\d+)\.tar\.gz$/;
const VERSION_MAX = 32;
/** Maximum number of packages that are listed, newest first; a folder with more is hardly one of packages. */
const SHOWN_MAX = 50;
const KEY_MAX_BYTES = 8 * 1024;
/** Mode bits that allow other accounts to write the file. */
const OTHERS_WRITE = 0o022;
const PIECE_BYTES = 1024 * 1024;

export type UpdateSource = { folder: string; keyFile: string };

/** A package whose signature, size and content are valid. */
export type CheckedPackage = { manifest: ReleaseManifest; path: string };

export type UpdatePackages = {
  list(): Promise<Pick<Updates, 'problem' | 'packages'>>;
  /**
   * Reads the whole archive again, regardless of earlier results.
   *
   * @throws PackageRefused
   */
  check(version: string): Promise<CheckedPackage>;
};

type Options = { source: UpdateSource; installed: string; platform?: string };

/** The packages in the site's folder. Only that folder is read, never the network. */
export function updatePackages({ source, installed, platform = ownPlatform() }: Options): UpdatePackages {
  /** Results of comparing archives with their manifests, by path; valid as long as the file does not change. */
  const compared = new Map<string, { stamp: string; fault: string | null }>();
  let comparing: Promise<void> = Promise.resolve();
  const waiting = new Set<string>();

  /** Checks signature, version and size, without reading the archive. */
  async function findPackage(version: string, key: KeyObject): Promise<CheckedPackage> {
    const files = packageFiles(version);
    const bytes = await smallFile(join(source.folder, files.manifest), MANIFEST_MAX_BYTES);
    if (bytes === null) throw new PackageRefused(`It has no manifest: ${files.manifest} is missing or too long.`);
    const signature = await smallFile(join(source.folder, files.signature), SIGNATURE_BYTES);
    if (signature === null)
      throw new PackageRefused(`It is not signed: ${files.signature} is missing, or is no signature.`);
    const manifest = verifiedManifest(bytes, signature, key);
    if (manifest.version !== version) {
      throw new PackageRefused(`Its manifest is that of version ${manifest.version}.`);
    }
    if (manifest.platform !== platform) {
      throw new PackageRefused(`It was made for ${manifest.platform}, and this server runs on ${platform}.`);
    }
    const path = join(source.folder, files.archive);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw new PackageRefused(`Its archive is missing: ${files.archive}.`);
    const { sizeBytes } = manifest.archive;
    if (found.size !== sizeBytes) {
      throw new PackageRefused(`Its archive has ${found.size} bytes, and its manifest names ${sizeBytes}.`);
    }
    return { manifest, path };
  }

  async function row(version: string, key: KeyObject): Promise<UpdatePackage> {
    try {
      const { manifest, path } = await findPackage(version, key);
      const stamp = stampOf(await stat(path, { bigint: true }));
      const existing = compared.get(path);
      if (existing?.stamp !== stamp) compareLater(path, manifest);
      else if (existing.fault !== null) throw new PackageRefused(existing.fault);
      return {
        version,
        created: Date.parse(manifest.created) * 1000,
        sizeBytes: manifest.archive.sizeBytes,
        state: existing?.stamp === stamp ? 'valid' : 'checking',
        reason: null,
      };
    } catch (error) {
      return { version, created: null, sizeBytes: null, state: 'refused', reason: sentenceOf(error) };
    }
  }

  /** Archives are compared one after another, since each has some hundred megabytes. */
  function compareLater(path: string, manifest: ReleaseManifest): void {
    if (waiting.has(path)) return;
    waiting.add(path);
    comparing = comparing
      .then(() => compare(path, manifest))
      // If the file was removed, the next list reports it as missing.
      .catch(() => undefined)
      .then(() => void waiting.delete(path));
  }

  async function compare(path: string, { archive }: ReleaseManifest): Promise<string | null> {
    const file = await open(path);
    try {
      const stamp = stampOf(await file.stat({ bigint: true }));
      const isSame = (await sha256Of(file)) === archive.sha256;
      const fault = isSame ? null : 'Its archive is not the one that was signed: the SHA-256 differs.';
      compared.set(path, { stamp, fault });
      return fault;
    } finally {
      await file.close();
    }
  }

  return {
    async list() {
      try {
        const key = await updateKey(source.keyFile);
        const versions = await versionsIn(source.folder);
        const newer = versions.filter((version) => compareVersions(version, installed) > 0).slice(0, SHOWN_MAX);
        return { problem: null, packages: await Promise.all(newer.map((version) => row(version, key))) };
      } catch (error) {
        return { problem: sentenceOf(error), packages: [] };
      }
    },

    async check(version) {
      if (compareVersions(version, installed) <= 0) {
        throw new PackageRefused(`Version ${version} is not newer than the installed version ${installed}.`);
      }
      const found = await findPackage(version, await updateKey(source.keyFile));
      const fault = await compare(found.path, found.manifest);
      if (fault !== null) throw new PackageRefused(fault);
      return found;
    },
  };
}

/** Operating system and processor architecture of this Node.js process, for example linux-x64. */
export const ownPlatform = (): string => `${process.platform}-${process.arch}`;

/** @throws PackageRefused if the file is no public key, or other accounts may change it */
async function updateKey(path: string): Promise<KeyObject> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new PackageRefused(`The key of updates cannot be read: ${path} is missing.`);
  if ((found.mode & OTHERS_WRITE) !== 0) {
    throw new PackageRefused(`Other accounts may change the key of updates: run chmod go-w ${path}.`);
  }
  const pem = String((await smallFile(path, KEY_MAX_BYTES)) ?? '');
  if (pem.includes('PRIVATE KEY')) {
    throw new PackageRefused(`${path} holds a private key: the server needs the public one, and only that one.`);
  }
  try {
    return publicKey(path, pem);
  } catch (error) {
    throw new PackageRefused(`The key of updates cannot be used: ${(error as Error).message}.`);
  }
}

/** Returns the versions in a folder, newest first. @throws PackageRefused */
async function versionsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new PackageRefused(`The folder of updates cannot be read: ${error.message}.`);
  });
  const versions = names.flatMap((name) => ARCHIVE.exec(name)?.[1] ?? []);
  return versions.filter(({ length }) => length <= VERSION_MAX).sort((a, b) => compareVersions(b, a));
}

/** Reads a file; null if it does not exist or is longer than `most` bytes. */
async function smallFile(path: string, most: number): Promise<Buffer | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > most) return null;
  return readFile(path);
}

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(':');

async function sha256Of(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of file.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false })) hash.update(piece);
  return hash.digest('hex');
}

const sentenceOf = (error: unknown): string =>
  error instanceof PackageRefused ? error.message : `It cannot be read: ${(error as Error).message}.`;
