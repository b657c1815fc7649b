import { type Actor, AppError } from '@osprey/contract';
import type { ContentFile, Contents, CutFiles, Packed } from '../../../base/items/content.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import { contentOf } from '../contents.ts';
import type { FrozenPart } from './frozen.ts';

/** Returns the telemetry files of a time span of a sensor; provided by another feature. */
export type TrackFiles = (
  actor: Actor,
  of: { missionId: string; sensorId: string; span: readonly [inUs: number, outUs: number] },
) => Promise<CutFiles>;

export type PartFilesDeps = { contents: Contents; storage: Pick<Storage, 'read'>; trackFiles: TrackFiles };

/**
 * Yields the files of a part one after another, as its creator may currently read it.
 *
 * @throws AppError notFound if it is now hidden, ruleRefused if it cannot be packed
 */
export async function* partFiles(
  deps: PartFilesDeps,
  actor: Actor,
  part: FrozenPart,
  { mp4 }: Packed,
): AsyncGenerator<ContentFile> {
  const { kind, subjectId } = part;
  if (kind === 'note') {
    yield { name: 'note.md', bytes: Buffer.from(`# ${part.title}\n\n${part.text ?? ''}\n`) };
    return;
  }
  if (subjectId === null) throw new AppError('notFound');
  const cut = await cutOf(deps, actor, part, { mp4 });
  yield* cut?.entries() ?? contentOf(deps.contents, kind)!.files(actor, subjectId, { mp4 });
}

/** Files that are cut from recordings for a part; null for other parts. @throws AppError notFound, ruleRefused */
export async function cutOf(
  { contents, trackFiles }: PartFilesDeps,
  actor: Actor,
  { kind, subjectId, missionId, startTime, endTime }: FrozenPart,
  how: Packed,
): Promise<CutFiles | null> {
  if (kind === 'track') {
    if (subjectId === null || missionId === null || startTime === null || endTime === null) {
      throw new AppError('notFound');
    }
    return trackFiles(actor, { missionId, sensorId: subjectId, span: [startTime, endTime] });
  }
  const cut = contentOf(contents, kind)?.cut;
  if (cut === undefined) return null;
  if (subjectId === null) throw new AppError('notFound');
  return cut(actor, subjectId, how);
}
