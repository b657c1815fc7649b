import { AppError } from '@osprey/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { applyManifest, MANIFEST_MAX_BYTES, readManifest } from '../formats/manifest.ts';
import type { FileToArrange } from './arrange.ts';

/** Maximum number of files named in each sentence, since a manifest may name thousands that do not exist. */
const NAMED_MAX = 5;

type FileRow = Selectable<Database['files']>;

export type ManifestVerdicts = {
  files: Map<string, NonNullable<FileToArrange['manifest']>>;
  /** Full sentences for the sensor's message. */
  problems: string[];
};

/**
 * Applies the manifests among a sensor's files to the other files; if two name the same file, the newer manifest
 * counts.
 */
export async function manifestVerdicts(storage: Storage, rows: readonly FileRow[]): Promise<ManifestVerdicts> {
  const verdicts: ManifestVerdicts = { files: new Map(), problems: [] };
  for (const row of rows.filter(({ kind }) => kind === 'manifest')) {
    const manifest = await read(storage, row).catch((error) => {
      if (!(error instanceof AppError)) throw error;
      verdicts.problems.push(`${row.name}: ${error.message}`);
      return null;
    });
    if (manifest === null) continue;
    const verdict = applyManifest(
      manifest,
      rows.filter(({ kind }) => kind !== 'manifest'),
    );
    for (const [id, { position, startTime }] of verdict.files)
      verdicts.files.set(id, { position, startTimeUs: startTime });
    const differing = rows.filter(({ id }) => verdict.files.get(id)?.intact === false).map(({ name }) => name);
    verdicts.problems.push(
      ...sentencesFor(verdict.missing, (name) => `${row.name} names ${name}, which is not there.`),
      ...sentencesFor(differing, (name) => `${name} is not the file that ${row.name} names: its SHA-256 differs.`),
    );
  }
  return verdicts;
}

/** Returns a sentence for each name; if there are too many, a single sentence covers the rest. */
function sentencesFor(names: readonly string[], sentence: (name: string) => string): string[] {
  const rest = names.length - NAMED_MAX;
  const sentences = names.slice(0, NAMED_MAX).map(sentence);
  return rest > 0 ? [...sentences, `The same is so for ${rest} other files.`] : sentences;
}

async function read(storage: Storage, row: FileRow) {
  if (row.size_bytes > MANIFEST_MAX_BYTES) throw new AppError('badManifest', { reason: 'it is larger than 1 MiB' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of storage.read(row.storage_key)) chunks.push(chunk);
  return readManifest(Buffer.concat(chunks));
}
