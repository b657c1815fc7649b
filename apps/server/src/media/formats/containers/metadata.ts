import type { MetadataUnit } from '@osprey/mpegts';
import type { StoredFile } from '../../../base/storage/storage.ts';
import { fragmentsOf } from '../mp4/fragments.ts';
import { type Mp4File, sampleBytes, trackSamples } from '../mp4/mp4-file.ts';
import type { Metadata } from './survey.ts';

/** Scheme of KLV in event messages (ST 1910). */
const SCHEME = /^urn:misb:klv:bin:/i;
/** Maximum size of a KLV set; even one with a whole VMTI series is smaller. */
const SET_MAX_BYTES = 4 * 1024 * 1024;
const TICKS_PER_SECOND = 90_000;
/** Number of units that are sorted by time, since units of one stream may be slightly out of order. */
const SORTED = 256;

type Timed = { seconds: number; offset: number; sizeBytes: number };

/** Returns the KLV streams of an MP4: one for each track, and one for its event messages. */
export async function klvStreams(
  source: StoredFile,
  file: Mp4File,
  metadata: Metadata,
): Promise<AsyncGenerator<Timed>[]> {
  const streams = metadata.klv.map((track) => trackSamples(source, file, track) as AsyncGenerator<Timed>);
  const messages = messagesOf(source, file, metadata);
  const first = file.movie.isFragmented ? await messages.next() : null;
  if (first && !first.done) streams.push(beginningWith(first.value, messages));
  return streams;
}

async function* messagesOf(source: StoredFile, { moov }: Mp4File, { video }: Metadata): AsyncGenerator<Timed> {
  for await (const found of fragmentsOf(source, { requested: [], lead: video, moov })) {
    if ('message' in found && SCHEME.test(found.message.scheme)) yield found.message;
  }
}

async function* beginningWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/**
 * Yields the sets of all streams in the order of their times, as units for a transport stream.
 *
 * @param startSeconds time of the stream's clock at the beginning of the presentation
 */
export async function* metadataUnits(
  source: StoredFile,
  streams: readonly AsyncGenerator<Timed>[],
  startSeconds: number,
): AsyncGenerator<MetadataUnit> {
  const heads = await Promise.all(
    streams.map(async (stream) => ({ sorted: inOrder(stream), next: null as Timed | null })),
  );
  for (const head of heads) head.next = await nextOf(head.sorted);
  for (;;) {
    let n = -1;
    for (const [k, { next }] of heads.entries()) {
      if (next !== null && (n < 0 || next.seconds < heads[n]!.next!.seconds)) n = k;
    }
    if (n < 0) return;
    const timed = heads[n]!.next!;
    heads[n]!.next = await nextOf(heads[n]!.sorted);
    const ptsTicks = Math.round((timed.seconds + startSeconds) * TICKS_PER_SECOND);
    if (timed.sizeBytes === 0 || ptsTicks < 0) continue;
    const bytes = await sampleBytes(source, timed, SET_MAX_BYTES);
    if (bytes) yield { n, ptsTicks, bytes };
  }
}

async function nextOf(stream: AsyncGenerator<Timed>): Promise<Timed | null> {
  const next = await stream.next();
  return next.done ? null : next.value;
}

async function* inOrder(stream: AsyncGenerator<Timed>): AsyncGenerator<Timed> {
  let waiting: Timed[] = [];
  for await (const one of stream) {
    waiting.push(one);
    if (waiting.length < 2 * SORTED) continue;
    waiting.sort((a, b) => a.seconds - b.seconds);
    yield* waiting.splice(0, SORTED);
  }
  waiting = waiting.sort((a, b) => a.seconds - b.seconds);
  yield* waiting;
}
