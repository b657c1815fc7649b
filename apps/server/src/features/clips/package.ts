import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Actor, ClipContainer, ClipManifest } from '@osprey/contract';
import { type Summed, summed, writeZip, type ZipSource } from '../../base/storage/zip-writer.ts';
import { type CutFile, type CutPiece, cutBytes, cutFiles, openMp4 } from './cut.ts';
import type { AskedSpan, Piece } from './plan.ts';
import type { ClippedMission } from './rows.ts';

/** The cuts of one sensor. */
export type SensorCut = { id: string; name: string; fileName: string; pieces: readonly Piece[] };

/** Texts that players show for an MP4 file: its name, and its comment with the label first. */
export type Said = { label: string; mission: string; sensor: string };

type Options = Parameters<typeof cutBytes>[0] & {
  container: ClipContainer;
  sensors: readonly SensorCut[];
  manifest: Omit<ClipManifest, 'clips'>;
  nowUs: number;
  /** Told of the bytes of the clips as they are written. */
  wrote?: (bytes: number) => void;
};

/** Names of the files: one for each stretch of one format. */
export function filesOf(
  { fileName, pieces }: Pick<SensorCut, 'fileName' | 'pieces'>,
  container: ClipContainer,
): (CutFile & { name: string })[] {
  const files = cutFiles(pieces, container);
  const nameOf = (i: number) => (files.length === 1 ? fileName : `${fileName}_${i + 1}`);
  return files.map((file, i) => ({ ...file, name: `${nameOf(i)}.${container}` }));
}

/** Texts of an MP4 file: its name, and the label with its source. */
export function wordsOf({ name, pieces }: CutFile & { name: string }, { label, mission, sensor }: Said) {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const startUs = first.utcOf(first.askedTicks);
  const span = `${iso(startUs)} to ${iso(last.utcOf(last.lengthTicks))}`;
  return {
    title: name.slice(0, name.lastIndexOf('.')),
    comment: `${label}. ${mission}, ${sensor}, ${span}`,
    createdSeconds: Math.floor(startUs / 1e6),
  };
}

/** A stored zip of the clips, `clip.json` and `SHA256SUMS`, made while it is sent. */
export function clipZip(options: Options): Readable {
  return writeZip(clipEntries(options));
}

/** Its entries, in this order. */
export async function* clipEntries({
  sensors,
  manifest,
  nowUs,
  container,
  wrote,
  ...cutting
}: Options): AsyncGenerator<ZipSource> {
  const date = new Date(nowUs / 1000);
  const clips: ClipManifest['clips'] = [];
  const sums: string[] = [];
  for (const { id, name, ...files } of sensors) {
    for (const file of filesOf(files, container)) {
      const parts: CutPiece[] = [];
      const done: Summed = { sizeBytes: 0, sha256: '' };
      const said = { label: manifest.label, mission: manifest.mission.name, sensor: name };
      const source = container === 'ts' ? cutBytes(cutting, file, (part) => parts.push(part)) : await mp4Bytes();
      yield { name: file.name, date, bytes: summed(counted(source), (sum) => Object.assign(done, sum)) };

      async function* counted(bytes: AsyncIterable<Uint8Array>) {
        for await (const one of bytes) {
          wrote?.(one.byteLength);
          yield one;
        }
      }

      async function mp4Bytes() {
        const { bytes, reports } = await openMp4(cutting, file, wordsOf(file, said));
        parts.push(...file.pieces.map((piece, i) => ({ piece, report: reports[i]! })));
        return bytes();
      }
      clips.push({
        ...{ name: file.name, sensor: { id, name }, ...done },
        labelled: parts.some(({ report }) => report.labelled),
        parts: parts.map(partOf),
      });
      sums.push(`${done.sha256}  ${file.name}`);
    }
  }
  const text = Buffer.from(`${JSON.stringify({ ...manifest, clips } satisfies ClipManifest, null, 1)}\n`);
  yield { name: 'clip.json', date, bytes: text };
  sums.push(`${createHash('sha256').update(text).digest('hex')}  clip.json`);
  yield { name: 'SHA256SUMS', date, bytes: Buffer.from(`${sums.join('\n')}\n`) };
}

type About = {
  server: { name: string; version: string };
  actor: Pick<Actor, 'username'>;
  mission: Pick<ClippedMission, 'id' | 'name' | 'securityClassification'>;
  span: AskedSpan;
  nowUs: number;
};

/** Content of `clip.json` before the clips are made. */
export const manifestOf = ({ server, actor, mission, span, nowUs }: About): Omit<ClipManifest, 'clips'> => ({
  ...{ format: 'osprey-clip', version: 1, label: mission.securityClassification },
  ...{ server: server.name, serverVersion: server.version, created: iso(nowUs), by: actor.username },
  mission: { id: mission.id, name: mission.name },
  asked: { in: iso(span[0]), out: iso(span[1]) },
});

const iso = (us: number): string => new Date(us / 1000).toISOString();

const partOf = ({ piece, report }: CutPiece): ClipManifest['clips'][number]['parts'][number] => ({
  original: { id: piece.fileId, name: piece.fileName, sha256: piece.sha256 },
  start: iso(piece.utcOf(0)),
  end: iso(piece.utcOf(piece.lengthTicks)),
  keyFrame: { pts: report.startPts, offset: piece.offset },
  frames: report.frames,
  framesBeforeIn: report.framesBefore,
  bytes: report.bytes,
  elementsOutside: report.outside,
});
