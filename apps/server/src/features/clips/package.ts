import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Actor, ClipContainer, ClipManifest } from '@osprey/contract';
import { type Summed, summing, writeZip, type ZipSource } from '../../base/storage/zip-writer.ts';
import { type CutFile, type CutPiece, cutBytes, cutFiles, openMp4 } from './cut.ts';
import { iso } from './names.ts';
import type { AskedSpan, Piece } from './plan.ts';
import type { ClippedMission } from './rows.ts';

/** The cuts of one sensor. */
export type SensorCut = { id: string; name: string; fileName: string; pieces: readonly Piece[] };

/** Source of an MP4 file, for the texts that players show: its name, and its comment, which begins with the label. */
export type CutSource = { label: string; mission: string; sensor: string };

type Options = Parameters<typeof cutBytes>[0] & {
  container: ClipContainer;
  sensors: readonly SensorCut[];
  manifest: Omit<ClipManifest, 'clips'>;
  nowUs: number;
};

/** Returns the files of a sensor with their names: one for each consecutive part of the same format. */
export function filesOf(
  { fileName, pieces }: Pick<SensorCut, 'fileName' | 'pieces'>,
  container: ClipContainer,
): (CutFile & { name: string })[] {
  const files = cutFiles(pieces, container);
  const nameOf = (i: number) => (files.length === 1 ? fileName : `${fileName}_${i + 1}`);
  return files.map((file, i) => ({ ...file, name: `${nameOf(i)}.${container}` }));
}

/** Returns the texts of an MP4 file: its name, and a comment with the label and the source. */
export function metadataOf({ name, pieces }: CutFile & { name: string }, { label, mission, sensor }: CutSource) {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const startUs = first.utcOf(first.askedTicks);
  const span = `${iso(startUs)} to ${iso(last.utcOf(last.lengthTicks))}`;
  return {
    title: name.slice(0, name.lastIndexOf('.')),
    comment: `${label}. ${mission}, ${sensor}, ${span}`,
    createdSeconds: Math.floor(startUs / 1e6),
  };
}

/** Returns a zip of the clips, `clip.json` and `SHA256SUMS`, uncompressed and created while it is sent. */
export function clipZip(options: Options): Readable {
  return writeZip(clipEntries(options));
}

/** A file of clips, created on demand. */
export type ClipFile = {
  name: string;
  /** @throws AppError ruleRefused where it cannot be made */
  open: () => Promise<{
    /** Cuts the file. Yields the same bytes each time. */
    bytes: () => AsyncIterable<Uint8Array>;
    /** Returns the entry of the clip in `clip.json`. Call after the last byte. */
    clipOf: (sum: Summed) => ClipManifest['clips'][number];
  }>;
};

/** The clips of sensors, in this order. */
export function clipFiles({ sensors, manifest, container, ...cutting }: Omit<Options, 'nowUs'>): ClipFile[] {
  return sensors.flatMap(({ id, name, ...files }) =>
    filesOf(files, container).map((file) => ({
      name: file.name,
      async open() {
        const parts: CutPiece[] = [];
        const clipOf = (sum: Summed) => ({
          ...{ name: file.name, sensor: { id, name }, ...sum },
          labelled: parts.some(({ report }) => report.labelled),
          parts: parts.map(partOf),
        });
        if (container === 'ts') {
          const bytes = () => {
            parts.length = 0;
            return cutBytes(cutting, file, (part) => parts.push(part));
          };
          return { bytes, clipOf };
        }
        const metadata = metadataOf(file, { label: manifest.label, mission: manifest.mission.name, sensor: name });
        const { bytes, reports } = await openMp4(cutting, file, metadata);
        parts.push(...file.pieces.map((piece, i) => ({ piece, report: reports[i]! })));
        return { bytes, clipOf };
      },
    })),
  );
}

/** Entries after the clips: `clip.json`, which describes how they were made, and the checksums. */
export function lastEntries(
  manifest: Omit<ClipManifest, 'clips'>,
  clips: ClipManifest['clips'],
): { name: string; bytes: Buffer }[] {
  const text = Buffer.from(`${JSON.stringify({ ...manifest, clips } satisfies ClipManifest, null, 1)}\n`);
  const sums = clips.map(({ sha256, name }) => `${sha256}  ${name}`);
  sums.push(`${createHash('sha256').update(text).digest('hex')}  clip.json`);
  return [
    { name: 'clip.json', bytes: text },
    { name: 'SHA256SUMS', bytes: Buffer.from(`${sums.join('\n')}\n`) },
  ];
}

/** Entries of a zip, in this order. */
export async function* clipEntries({ nowUs, ...options }: Options): AsyncGenerator<ZipSource> {
  const date = new Date(nowUs / 1000);
  const clips: ClipManifest['clips'] = [];
  for (const { name, open } of clipFiles(options)) {
    const { onRead, sum } = summing();
    const { bytes, clipOf } = await open();
    yield { name, date, bytes, onRead };
    clips.push(clipOf(sum()));
  }
  for (const entry of lastEntries(options.manifest, clips)) yield { ...entry, date };
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

const partOf = ({ piece, report }: CutPiece): ClipManifest['clips'][number]['parts'][number] => ({
  original: { id: piece.fileId, name: piece.fileName, sha256: piece.sha256, converted: piece.converted },
  start: iso(piece.utcOf(0)),
  end: iso(piece.utcOf(piece.lengthTicks)),
  keyFrame: { pts: report.startPts, offset: piece.offset },
  frames: report.frames,
  framesBeforeIn: report.framesBefore,
  bytes: report.bytes,
  elementsOutside: report.outside,
});
