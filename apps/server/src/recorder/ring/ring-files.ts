import { openSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RingSegment, ringSegment } from '../../recorder-wire/protocol.ts';

export type RingFiles = ReturnType<typeof ringFiles>;

/** Folder of a sensor's ring and its segment files: `{n}.ts`, and `{n}.json` with the segment's metadata. */
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
     * Writes bytes at a position of the segment's file. The ring is not synced: it is a rewind buffer, and no
     * recording.
     */
    async write(n: number, bytes: Buffer, position: number): Promise<void> {
      const file = await fileOf(n);
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      }
    },
    /** Writes the segment's metadata with its valid length, read at restart. */
    async note(segment: RingSegment): Promise<void> {
      const path = facts(segment.n);
      await writeFile(`${path}.new`, JSON.stringify(segment), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
    /** A descriptor for reading, which outlives the file's removal; the caller closes it. */
    openNow: (n: number): number => openSync(media(n), 'r'),
    remove,
    async close(): Promise<void> {
      await current?.file.close();
      current = null;
    },
    /** Loads the segments of an earlier recorder: the consecutive ones up to the last. All others are removed. */
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
    // The file does not exist, or another version wrote it.
    return null;
  }
}
