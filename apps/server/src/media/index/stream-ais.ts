import { createLines } from '@osprey/ais';
import { createDemuxer, hasAisSentence, readAhead, type TextPayload } from '@osprey/mpegts';
import type { StoredFile } from '../../base/storage/storage.ts';

/** A private data stream that contains AIS sentences. */
export type StreamAis = { pid: number; sentences: number };

/** Maximum number of streams of one file that are counted separately. */
const PIDS_MAX = 8;

/**
 * Splits the text of private data streams into lines, separately for each PID; an incomplete line before a loss is
 * dropped.
 */
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

/** Position of a line in the clock of the stream: after a picture or telemetry set with this PTS. */
type Placed = { ticks: number; run: number };

/**
 * Reads the lines of the private data streams of a stored transport stream, each with the position of the last picture
 * or telemetry set before it; lines before the first one have no position and are left out.
 *
 * @param take awaited after each piece of the file, so that lines do not accumulate in memory
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
