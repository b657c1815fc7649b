import { createLines } from '@osprey/ais';
import { createDemuxer, hasAisSentence, readAhead, type TextPayload } from '@osprey/mpegts';
import type { StoredFile } from '../../base/storage/storage.ts';

/** A private data stream with AIS sentences. */
export type StreamAis = { pid: number; sentences: number };

/** Streams of one file that are counted separately. */
const PIDS_MAX = 8;

/** Cuts the text of private data streams into lines, each PID for itself; half a line before a loss is dropped. */
export function aisLines(onLine: (line: Uint8Array, pid: number) => void) {
  const streams = new Map<number, ReturnType<typeof createLines>>();
  return ({ pid, bytes, start, end, lost }: TextPayload): void => {
    let lines = streams.get(pid);
    if (lines === undefined) {
      if (streams.size >= PIDS_MAX) return;
      lines = createLines({ onLine: (all, from, to) => onLine(all.subarray(from, to), pid) });
      streams.set(pid, lines);
    }
    if (lost) lines.restart();
    lines.push(bytes.subarray(start, end));
  };
}

/** Counts the sentences of each private data stream. */
export function createAisSurvey() {
  const found = new Map<number, StreamAis>();
  const text = aisLines((line, pid) => {
    if (!hasAisSentence(line, 0, line.length)) return;
    const stream = found.get(pid) ?? { pid, sentences: 0 };
    stream.sentences += 1;
    found.set(pid, stream);
  });
  return { text, finish: (): StreamAis[] => [...found.values()] };
}

/** Where a line came in the clock of the stream: after a picture, or a set of telemetry, of this PTS. */
type Placed = { ticks: number; run: number };

/**
 * Reads the lines of the private data streams of a stored transport stream, each with the place of the last picture or set
 * before it; lines before the first have none and are left out.
 *
 * @param take awaited after each piece of the file, so that lines do not pile up
 */
export async function readAisLines(
  source: StoredFile,
  { signal, take }: { signal: AbortSignal; take: (lines: { line: Uint8Array; at: Placed }[]) => Promise<void> },
): Promise<void> {
  let at: Placed | null = null;
  let lines: { line: Uint8Array; at: Placed }[] = [];
  const text = aisLines((line) => {
    if (at !== null) lines.push({ line: line.slice(), at });
  });
  const seen = ({ ptsTicks, run }: { ptsTicks: number | null; run: number }) => {
    if (ptsTicks !== null) at = { ticks: ptsTicks, run };
  };
  const demuxer = createDemuxer({ accessUnit: seen, klv: seen, text });
  for await (const { bytes } of readAhead(source)) {
    signal.throwIfAborted();
    demuxer.push(bytes);
    if (lines.length === 0) continue;
    const taken = lines;
    lines = [];
    await take(taken);
  }
  demuxer.end();
  if (lines.length > 0) await take(lines);
}
