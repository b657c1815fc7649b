import type { Storage } from '../base/storage/storage.ts';
import { inspectArchive } from '../media/formats/archive.ts';
import { inspectContainer, isContainer } from '../media/formats/containers/survey.ts';
import { type FileKind, HEAD_BYTES, judgeFile } from './sniff.ts';

/**
 * Checks the format of one file while it arrives: its beginning as soon as 4 MiB have arrived, and the remaining rules
 * when it is complete.
 *
 * @param name as given by the sender; a file whose content contradicts its name is refused
 */
export function createJudge(storage: Storage, key: string, name: string) {
  let kind: FileKind | null = null;

  async function judgeHead(complete: boolean): Promise<FileKind> {
    const file = await storage.open(key);
    try {
      const head = Buffer.allocUnsafe(Math.min(HEAD_BYTES, file.sizeBytes));
      const filled = await file.read(head, 0);
      return judgeFile(head.subarray(0, filled), { complete: complete && file.sizeBytes <= HEAD_BYTES, name });
    } finally {
      await file.close();
    }
  }

  return {
    /** @throws AppError as soon as the bytes so far show that the file is refused */
    async grown(sizeBytes: number): Promise<void> {
      if (kind === null && sizeBytes >= HEAD_BYTES) kind = await judgeHead(false);
    },
    /** @throws AppError emptyFile, unsupportedFile, badManifest, badArchive, badFile */
    async complete(): Promise<FileKind> {
      kind ??= await judgeHead(true);
      if (kind === 'archive') await inspectArchive(storage, key);
      if (isContainer(kind)) await inspectContainer(storage, key, kind);
      return kind;
    },
  };
}
