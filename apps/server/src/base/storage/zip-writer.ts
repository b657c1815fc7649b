import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { ZipArchive } from 'archiver';

export type ZipSource = { name: string; date: Date; bytes: Readable | Buffer };

/**
 * A zip as a stream, in constant memory: entries are stored, not packed, and asked for one after the other. ZIP64, so
 * that neither the archive nor an entry has a limit. An entry that fails destroys the stream.
 */
export function writeZip(sources: AsyncIterable<ZipSource>): Readable {
  const zip = new ZipArchive({ store: true, forceZip64: true });
  const out = new PassThrough();
  const gone = new AbortController();
  pipeline(zip, out, () => gone.abort());

  async function feed(): Promise<void> {
    for await (const { name, date, bytes } of sources) {
      gone.signal.throwIfAborted();
      // The library would end an entry whose source fails as if it were whole.
      if (bytes instanceof Readable) bytes.once('error', (error) => out.destroy(error));
      const written = once(zip, 'entry', { signal: gone.signal });
      zip.append(bytes, { name, date, mode: 0o644 });
      await written.finally(() => bytes instanceof Readable && bytes.destroy());
    }
    await zip.finalize();
  }
  feed().catch((error) => out.destroy(error instanceof Error ? error : new Error('The archive failed')));
  return out;
}

export type Summed = { sizeBytes: number; sha256: string };

/** Passes bytes on and sums them; `onEnd` is called at the end. */
export function summed(source: AsyncIterable<Uint8Array>, onEnd: (sum: Summed) => void): Readable {
  async function* pass() {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const bytes of source) {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      yield bytes;
    }
    onEnd({ sizeBytes, sha256: hash.digest('hex') });
  }
  return Readable.from(pass(), { objectMode: false });
}
