import { AppError, moment } from '@osprey/contract';
import { EARLIEST_US } from '@osprey/klv';
import { z } from 'zod';

/** Maximum size of a manifest, which contains names, hashes and times of at most this many files. */
export const MANIFEST_MAX_BYTES = 1024 * 1024;
const MANIFEST_MAX_FILES = 10_000;

const entry = z.object({
  name: z.string().min(1).max(1024),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .transform((text) => text.toLowerCase())
    .optional(),
  /** Start time in microseconds, or as ISO 8601 with a zone. */
  // Rejects numbers in seconds or milliseconds, which would be times in January 1970.
  startTime: z
    .union([z.int(), moment])
    .refine((us) => us >= EARLIEST_US, 'is before 1990: use microseconds or ISO 8601 with a zone')
    .optional(),
});
const manifest = z.object({ files: z.array(entry).min(1).max(MANIFEST_MAX_FILES) });

/**
 * A manifest orders, checks and dates the files uploaded with it. Times are UTC microseconds, hashes are in lower case.
 */
export type Manifest = z.output<typeof manifest>;

/** Reads an uploaded manifest. Throws badManifest with the position of the first error. */
export function readManifest(bytes: Uint8Array): Manifest {
  const parsed = manifest.safeParse(readJson(bytes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.');
    throw new AppError('badManifest', { reason: `${place}: ${issue?.message ?? 'not valid'}` });
  }
  const names = new Set<string>();
  for (const { name } of parsed.data.files) {
    const key = name.normalize('NFC');
    if (names.has(key)) throw new AppError('badManifest', { reason: 'it names one file twice' });
    names.add(key);
  }
  return parsed.data;
}

function readJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MANIFEST_MAX_BYTES) throw new AppError('badManifest', { reason: 'it is larger than 1 MiB' });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('badManifest', { reason: 'it is not valid JSON' }, error);
  }
}

export type NamedFile = { id: string; name: string; sha256: string | null };
export type ManifestVerdict = {
  /** For each file named by the manifest: its position, its time if given, and whether its hash matches. */
  files: Map<string, { position: number; startTime: number | null; intact: boolean }>;
  /** Names in the manifest that match no file. */
  missing: string[];
};

/**
 * Compares a manifest with the files of its sensor, by normalized names. If several files have the same name, the file
 * with the hash of the manifest is chosen, or else the first one that no other entry uses.
 */
export function applyManifest(list: Manifest, files: readonly NamedFile[]): ManifestVerdict {
  const byName = Map.groupBy(files, ({ name }) => name.normalize('NFC'));
  const verdict: ManifestVerdict = { files: new Map(), missing: [] };
  // File names have no folders, but a manifest may write folders before them.
  const freeFor = (name: string): NamedFile[] =>
    (byName.get(name) ?? byName.get(name.split(/[/\\]/).at(-1) ?? '') ?? []).filter(({ id }) => !verdict.files.has(id));
  const entries = list.files.map((entry, position) => ({ ...entry, position, name: entry.name.normalize('NFC') }));
  const others = entries.filter(({ name, sha256, startTime, position }) => {
    const file = sha256 && freeFor(name).find((one) => one.sha256 === sha256);
    if (file) verdict.files.set(file.id, { position, startTime: startTime ?? null, intact: true });
    return !file;
  });
  for (const { name, sha256, startTime, position } of others) {
    const [file] = freeFor(name);
    if (file === undefined) {
      verdict.missing.push(name);
      continue;
    }
    const intact = sha256 === undefined || file.sha256 === null;
    verdict.files.set(file.id, { position, startTime: startTime ?? null, intact });
  }
  return verdict;
}
