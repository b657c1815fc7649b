import { Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';

/** Compresses or decompresses a stream. A failure of the source also ends the resulting stream. */
async function* through(source: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Buffer> {
  const input = source instanceof Readable ? source : Readable.from(source, { objectMode: false });
  input.once('error', (error) => transform.destroy(error));
  for await (const part of input.pipe(transform)) yield part as Buffer;
}

export const gzipped = (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> =>
  through(source, createGzip({ level: 4 }));

export const gunzipped = (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> => through(source, createGunzip());
