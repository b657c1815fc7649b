import { openSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RingSegment, ringSegment } from '../../recorder-wire/protocol.ts';

export type RingFiles = ReturnType<typeof ringFiles>;

/**
 * Accesses the folder of a sensor's ring. Each segment consists of a media file `{n}.ts` and a metadata file
 * `{n}.json`.
 */
export function ringFiles({ folder, sensorId }: { folder: string; sensorId: string }) {
  const place = join(folder, sensorId);
  const media = (n: number) => join(place, `${n}.ts`);
  const facts = (n: number) => join(place, `${n}.json`);
  let current: { n: number; file: FileHandle } | null = null;

  async function fileOf(n: number): Promise<FileHandle> {
    if (current?.n === n) return current.file;
    await current?.file.close();
    current = null;
    await mkdir(place, { recursive: true, mode: 0o700 });
    const file = await open(media(n), 'w', 0o600);
    current = { n, file };
    return file;
  }

  async function remove(n: number): Promise<void> {
    await Promise.all([facts(n), `${facts(n)}.new`, media(n)].map((path) => rm(path, { force: true })));
  }

  return {
    /**
     * Writes bytes at a position of the segment's file, without syncing: the ring is only a rewind buffer, not a
     * recording.
     */
    async write(n: number, bytes: Buffer, position: number): Promise<void> {
      const file = await fileOf(n);
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      }
    },
    /** Writes the metadata of the segment, including its valid length, which is read at restart. */
    async note(segment: RingSegment): Promise<void> {
      const path = facts(segment.n);
      await writeFile(`${path}.new`, JSON.stringify(segment), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
    /**
     * Opens a segment file and returns its descriptor, which stays readable after the file is removed. The caller must
     * close it.
     */
    openNow: (n: number): number => openSync(media(n), 'r'),
    remove,
    async close(): Promise<void> {
      await current?.file.close();
      current = null;
    },
    /**
     * Loads the segments written by an earlier recorder: the uninterrupted sequence that ends with the last segment.
     * All others are removed.
     */
    async load(): Promise<{ segments: RingSegment[]; lastN: number | null }> {
      const names = await readdir(place).catch(() => []);
      const numbers = [...new Set(names.map((name) => Number.parseInt(name, 10)))].sort((a, b) => b - a);
      const segments: RingSegment[] = [];
      let isComplete = true;
      for (const n of numbers) {
        const segment: RingSegment | null = isComplete ? await readFacts(facts(n)) : null;
        isComplete = segment !== null && (segments.at(-1)?.n ?? n + 1) === n + 1;
        if (segment !== null && isComplete) segments.push({ ...segment, done: true });
        else await remove(n);
      }
      return { segments: segments.reverse(), lastN: numbers[0] ?? null };
    },
  };
}

async function readFacts(path: string): Promise<RingSegment | null> {
  try {
    return ringSegment.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // The file does not exist, or a different version of the recorder wrote it.
    return null;
  }
}
