import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ClipManifest } from '@osprey/contract';
import { type Summed, summed, writeZip, type ZipSource } from '../../base/storage/zip-writer.ts';
import { type CutFile, type CutPiece, cutBytes, cutFiles } from './cut.ts';
import type { Piece } from './plan.ts';

/** The cuts of one sensor. */
export type SensorCut = { id: string; name: string; fileName: string; pieces: readonly Piece[] };

type Options = Parameters<typeof cutBytes>[0] & {
  sensors: readonly SensorCut[];
  manifest: Omit<ClipManifest, 'clips'>;
  nowUs: number;
};

/** Names of the transport streams: one for each stretch of one format. */
export function filesOf({ fileName, pieces }: Pick<SensorCut, 'fileName' | 'pieces'>): (CutFile & { name: string })[] {
  const files = cutFiles(pieces);
  return files.map((file, i) => ({ ...file, name: files.length === 1 ? `${fileName}.ts` : `${fileName}_${i + 1}.ts` }));
}

/** A stored zip of the clips, `clip.json` and `SHA256SUMS`, made while it is sent. */
export function clipZip(options: Options): Readable {
  return writeZip(entries(options));
}

async function* entries({ sensors, manifest, nowUs, ...cutting }: Options): AsyncGenerator<ZipSource> {
  const date = new Date(nowUs / 1000);
  const clips: ClipManifest['clips'] = [];
  const sums: string[] = [];
  for (const { id, name, ...files } of sensors) {
    for (const file of filesOf(files)) {
      const parts: CutPiece[] = [];
      const done: Summed = { sizeBytes: 0, sha256: '' };
      const bytes = summed(
        cutBytes(cutting, file, (part) => parts.push(part)),
        (sum) => Object.assign(done, sum),
      );
      yield { name: file.name, date, bytes };
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
