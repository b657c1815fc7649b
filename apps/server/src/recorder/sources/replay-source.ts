import { Readable } from 'node:stream';
import { originalsOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { OpenSource } from '../components.ts';
import { readBytes } from './byte-source.ts';
import { clockPace } from './clock-pace.ts';
import { packetAligner } from './packet-aligner.ts';
import { SourceError } from './source-error.ts';

type StoredOriginal = { key: string; modifiedMs: number };

/** Plays the original files of a recorded sensor in real time, in the order in which they were recorded. */
export function replayOpener(storage: Pick<Storage, 'list' | 'read'>): OpenSource {
  return async ({ url }, sink) => {
    const sensorId = url.slice(url.indexOf(':') + 1);
    const files: StoredOriginal[] = [];
    for await (const file of storage.list(originalsOf(sensorId))) if (file.key.endsWith('.ts')) files.push(file);
    if (files.length === 0) throw new SourceError('There is no recording of the sensor that replay: names');
    files.sort((a, b) => a.modifiedMs - b.modifiedMs || (a.key < b.key ? -1 : 1));
    const stop = new AbortController();
    return readBytes(
      {
        readable: Readable.from(play(storage, files, stop.signal), { objectMode: false }),
        // The end of the recording is no fault: it is played from the beginning again.
        whyEnded: (error) => (error === null ? null : 'The recording that replay: names cannot be read'),
        stop: () => stop.abort(),
      },
      sink,
    );
  };
}

async function* play(storage: Pick<Storage, 'read'>, files: readonly StoredOriginal[], signal: AbortSignal) {
  for (const { key } of files) {
    const pace = clockPace(signal);
    const ready: Buffer[] = [];
    const aligner = packetAligner((packets) => ready.push(Buffer.from(packets)));
    for await (const bytes of storage.read(key) as AsyncIterable<Buffer>) {
      aligner.push(bytes);
      for (const packets of ready.splice(0)) yield* pace(packets);
      if (signal.aborted) return;
    }
  }
}
