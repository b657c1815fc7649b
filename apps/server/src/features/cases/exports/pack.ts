import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  AUDIT_PATH,
  AUDIT_SUMS_PATH,
  BLOCK_BYTES,
  type CaseManifest,
  fileHasher,
  type Hashed,
  isSafeRelativePath,
  KEY_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SUMS_PATH,
} from '@osprey/case-package';
import { type Actor, AppError, classificationOf } from '@osprey/contract';
import type { ContentFile, Place } from '../../../base/items/content.ts';
import { iso, safeName } from '../../../base/items/content-files.ts';
import type { ZipSource } from '../../../base/storage/zip-writer.ts';
import { type FrozenCase, type FrozenPart, isPacked } from './frozen.ts';
import type { LandIn } from './land.ts';
import { cutOf, type PartFilesDeps, partFiles } from './part-files.ts';
import { partPictures, pictureBudget } from './part-picture.ts';
import { auditProofOf, type ProofDeps, packageKeys } from './proof.ts';
import { readmeText } from './readme.ts';
import { reportHtml, wordOf } from './report.ts';
import type { Mapped } from './report-map.ts';
import type { ExportRow } from './repository.ts';

export type PackDeps = PartFilesDeps &
  ProofDeps & {
    server: { name: string; version: string };
    /** Path of the web page that verifies packages. */
    checkPage: string;
    /** Reads the land of the base map. */
    landIn: LandIn;
  };

export type Packing = {
  actor: Actor;
  row: Pick<
    ExportRow,
    'case_id' | 'version' | 'classification' | 'created_by' | 'left_out' | 'released_by' | 'released_by_id'
  >;
  usergroups: readonly string[];
  frozen: FrozenCase;
  /** Called with bytes as they are written. */
  wrote: (bytes: number) => void;
};

const hashing = {
  begin: () => createHash('sha256'),
  of: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
};
/** Maximum number of positions of a track on the map of the report. */
const TRACK_PLACES = 200;

/** Estimates the size of a package, in bytes. */
export async function sizeOfParts(deps: PartFilesDeps, actor: Actor, { parts, mp4 }: FrozenCase): Promise<number> {
  let sizeBytes = 0;
  for (const part of parts.filter(isPacked)) sizeBytes += (await cutOf(deps, actor, part, { mp4 }))?.sizeBytes ?? 0;
  return sizeBytes;
}

/**
 * Yields the entries of a package in order: parts, their descriptions, checksums, audit proof, manifest, signature.
 * Each entry is hashed while it is written. The files of each part are recorded in `frozen`.
 *
 * @throws AppError when a part can no longer be read by the creator, or a stored file has changed
 */
export async function* packageEntries(deps: PackDeps, packing: Packing): AsyncGenerator<ZipSource> {
  const { actor, row, frozen, wrote } = packing;
  const label = classificationOf(row.classification);
  const nowUs = deps.nowUs();
  const date = new Date(nowUs / 1000);
  const keys = await packageKeys(deps);
  const files: CaseManifest['files'] = [];
  const mapped: Mapped[] = [];

  async function* pack(path: string, { bytes, onRead }: Omit<ContentFile, 'name'>): AsyncGenerator<ZipSource, Hashed> {
    if (!isSafeRelativePath(path)) throw new Error(`Not a path of a package: ${path}`);
    const hasher = fileHasher(hashing);
    yield {
      ...{ name: path, date, bytes },
      onRead(chunk) {
        hasher.update(chunk);
        onRead?.(chunk);
      },
      onWrite: (chunk) => wrote(chunk.byteLength),
    };
    const hashed = hasher.end();
    files.push({ path, ...hashed });
    return hashed;
  }

  for (const [at, part] of frozen.parts.entries()) {
    const folder = `parts/${String(at + 1).padStart(4, '0')}-${part.kind}-${safeName(part.title)}`;
    part.files = [];
    if (isPacked(part)) {
      for await (const file of partFiles(deps, actor, part, frozen)) {
        const path = `${folder}/${file.name}`;
        const { sizeBytes, sha256 } = yield* pack(path, file);
        // A file damaged by the disk must not be signed, so the package is not created.
        if (file.sha256 !== undefined && file.sha256 !== sha256) {
          const reason = `The stored file of ${part.title} is damaged: its checksum has changed.`;
          throw new AppError('ruleRefused', { reason });
        }
        part.files.push({ path, sizeBytes, sha256 });
      }
    }
    mapped.push({ number: at + 1, extent: part.extent, tracks: await tracksOf(deps, actor, part) });
  }

  const text = (value: string) => ({ bytes: Buffer.from(value) });
  yield* pack('case.json', text(`${JSON.stringify(caseJson(packing, label), null, 1)}\n`));
  if (frozen.comments.length > 0)
    yield* pack('comments.json', text(`${JSON.stringify(commentsJson(frozen), null, 1)}\n`));
  // A new budget for each reading of the report, so that every reading contains the same pictures.
  const report = () => {
    const budget = pictureBudget();
    return reportHtml({
      ...{ frozen, version: row.version, label, maker: row.created_by, madeUs: nowUs, releasedBy: row.released_by },
      ...{ leftOut: row.left_out, server: deps.server, fingerprint: keys.fingerprint, mapped },
      landIn: deps.landIn,
      wordOf: (kind) => wordOf(deps.contents, kind),
      picturesOf: (part) => partPictures(deps, actor, part, budget),
    });
  };
  yield* pack('report.html', { bytes: () => bytesOf(report()) });
  yield* pack('check.html', { bytes: await readFile(deps.checkPage) });
  const about = { frozen, version: row.version, label, maker: row.created_by, server: deps.server.name };
  yield* pack('README.txt', text(readmeText({ ...about, fingerprint: keys.fingerprint })));
  yield* pack(KEY_PATH, text(keys.pem));
  const sums = yield* pack(SUMS_PATH, text(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')));
  const proof = await auditProofOf(deps, actor, {
    ...{ caseId: row.case_id, label, usergroups: packing.usergroups, version: row.version },
    ...{ releasedBy: row.released_by_id, sumsSha256: sums.sha256, fingerprint: keys.fingerprint },
  });
  const audit = yield* pack(AUDIT_PATH, text(`${JSON.stringify(proof, null, 1)}\n`));
  yield* pack(AUDIT_SUMS_PATH, text(`${audit.sha256}  ${AUDIT_PATH}\n`));
  const manifest: CaseManifest = {
    ...{ format: 'osprey-case', formatVersion: 1 },
    case: { id: row.case_id, number: frozen.number, name: frozen.name, version: row.version },
    ...{ label, maker: row.created_by, releasedBy: row.released_by, made: date.toISOString() },
    ...{ server: deps.server, keyFingerprint: keys.fingerprint, blockBytes: BLOCK_BYTES, files },
  };
  const { bytes } = text(`${JSON.stringify(manifest, null, 1)}\n`);
  yield { name: MANIFEST_PATH, date, bytes };
  yield { name: SIGNATURE_PATH, date, bytes: keys.sign(bytes) };
}

async function tracksOf(deps: PartFilesDeps, actor: Actor, part: FrozenPart): Promise<Place[][]> {
  const cut = isPacked(part) ? await cutOf(deps, actor, part, { mp4: false }) : null;
  const lines: Place[][] = [];
  if (cut !== null) for await (const track of cut.tracks()) lines.push(await thin(track));
  return lines;
}

/**
 * Reduces a track of any length to some hundred evenly spaced positions: whenever there are too many, every second one
 * is dropped.
 */
async function thin(track: AsyncIterable<Place>): Promise<Place[]> {
  let retained: Place[] = [];
  let [step, at] = [1, 0];
  for await (const { lon, lat } of track) {
    if (at % step === 0) retained.push({ lon, lat });
    at += 1;
    if (retained.length <= 2 * TRACK_PLACES) continue;
    retained = retained.filter((_place, index) => index % 2 === 0);
    step *= 2;
  }
  return retained;
}

function caseJson({ row, frozen }: Packing, label: string): object {
  return {
    ...{ number: frozen.number, name: frozen.name, description: frozen.description, label, version: row.version },
    ...{ maker: row.created_by, releasedBy: row.released_by, leftOut: row.left_out },
    parts: frozen.parts.map(({ thumbnailUrl: _path, revision: _revision, startTime, endTime, added, ...part }) => ({
      ...part,
      ...{ startTime: iso(startTime), endTime: iso(endTime), added: iso(added) },
    })),
  };
}

const commentsJson = ({ comments }: FrozenCase): object[] =>
  comments.map(({ created, edited, ...comment }) => ({ ...comment, created: iso(created), edited: iso(edited) }));

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}
