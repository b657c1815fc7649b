import type { Client, Visit } from './client.ts';
import { transportCheck } from './transport-check.ts';

/** A part as listed in the playlist; `n` is the number of its segment, and `index` its position in that segment. */
type Part = Place & { uri: string; from: number; to: number };
type Place = { n: number; index: number };

const LINE = /^#EXT-X-PART:DURATION=[\d.]+,URI="([^"]+)",BYTERANGE="(\d+)@(\d+)"/;

/**
 * Watches by LL-HLS as a player does: repeatedly requests the playlist with the next part, then that part, until
 * closed.
 */
export async function hlsClient({ address, sensorId, headers }: Visit): Promise<Client> {
  const base = `${address}/api/live/${sensorId}`;
  const check = transportCheck();
  const gone = new AbortController();
  let lost = 0;
  let failure: unknown = null;

  async function get(path: string, range: string | null = null): Promise<Buffer> {
    const all = range === null ? headers : { ...headers, range };
    const answer = await fetch(`${base}/${path}`, { headers: all, signal: gone.signal });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${bytes.toString().slice(0, 200)}`);
    return bytes;
  }

  async function watch(): Promise<void> {
    let next: Place | null = null;
    while (!gone.signal.aborted) next = await step(next);
  }

  /** Fetches the new parts and returns the next expected one. */
  async function step(next: Place | null): Promise<Place | null> {
    const reload = next === null ? '' : `&_HLS_msn=${next.n}&_HLS_part=${next.index}`;
    const parts = partsOf(String(await get(`index.m3u8?mode=ll${reload}`)));
    const fresh = next === null ? parts.slice(-1) : parts.filter((part) => !isBefore(part, next));
    const [first] = fresh;
    if (next !== null && first?.n === next.n && first.index > next.index) lost += 1;
    for (const { uri, from, to } of fresh) check.push(await get(uri, `bytes=${from}-${to - 1}`));
    const last = fresh.at(-1);
    return last === undefined ? next : { n: last.n, index: last.index + 1 };
  }

  watch().catch((error: unknown) => {
    if (!gone.signal.aborted) failure = error;
  });
  return {
    pictures: check.pictures,
    missed() {
      if (failure !== null) throw failure;
      return check.missing() + lost;
    },
    close: async () => gone.abort(),
  };
}

const isBefore = (part: Place, next: Place) => part.n < next.n || (part.n === next.n && part.index < next.index);

function partsOf(playlist: string): Part[] {
  let index = 0;
  let segment = -1;
  return playlist.split('\n').flatMap((line) => {
    const [, uri, size, offset] = LINE.exec(line) ?? [];
    if (uri === undefined) return [];
    const n = Number.parseInt(uri, 10);
    index = n === segment ? index + 1 : 0;
    segment = n;
    return { n, index, uri, from: Number(offset), to: Number(offset) + Number(size) };
  });
}
