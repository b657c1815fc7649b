import { createHash } from 'node:crypto';
import type { ClipManifest } from '@osprey/contract';
import { makingKey, stateKey } from '../../base/jobs/export-tasks.ts';
import { appendEntry, endOf, finishZip, type GrownEntry } from '../../base/storage/growing-zip.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { summing } from '../../base/storage/zip-writer.ts';
import type { ClipFile } from './package.ts';

/** Means to follow an attempt, and to abort it on cancellation, on a lost right, or when the server stops. */
export type Interrupted = { signal: AbortSignal; wrote: (bytes: number) => void };

type Clip = ClipManifest['clips'][number];

/** Version of the entries' form. A zip that was begun in another version is started from scratch. */
const FORMAT = 2;

/** State of the growing zip so far, stored next to it. Only the server writes it. */
type State = { format: number; recipe: string; startedUs: number; made: { entry: GrownEntry; clip: Clip }[] };

type Options = {
  storage: Storage;
  taskId: string;
  nowUs: number;
  recipe: string;
  filesOf: (startedUs: number) => ClipFile[];
  /** Returns the entries after the clips. `clips` are in the order of their files. */
  lastOf: (startedUs: number, clips: readonly Clip[]) => { name: string; bytes: Buffer }[];
};

/**
 * Writes a zip of clips, continuing where an earlier attempt ended. Complete clips whose SHA-256 is still correct are
 * kept; all entries have the time of the first attempt.
 */
export async function resumedZip({ storage, taskId, nowUs, recipe, filesOf, lastOf }: Options) {
  const [growing, stateOf] = [makingKey(taskId), stateKey(taskId)];
  const state = await verify(storage, growing, await readState(storage, stateOf), recipe);
  const { startedUs, made }: Pick<State, 'startedUs' | 'made'> = state ?? { startedUs: nowUs, made: [] };
  const date = new Date(startedUs / 1000);

  async function store(key: string, { signal, wrote }: Interrupted): Promise<{ sizeBytes: number }> {
    const file = await storage.append(growing);
    try {
      await file.truncate(made.length === 0 ? 0 : endOf(made.at(-1)!.entry));
      wrote(keptBytes);
      for (const { name, open } of filesOf(startedUs).slice(made.length)) {
        const { bytes, clipOf } = await open();
        const { onRead, sum } = summing();
        const onWrite = (chunk: Uint8Array) => wrote(chunk.byteLength);
        async function* watched() {
          for await (const chunk of bytes()) {
            signal.throwIfAborted();
            yield chunk;
          }
        }
        const entry = await appendEntry(file, { name, date, bytes: watched, onRead, onWrite });
        made.push({ entry, clip: clipOf(sum()) });
        const state = { format: FORMAT, recipe, startedUs, made } satisfies State;
        await storage.put(stateOf, [Buffer.from(JSON.stringify(state))]);
        signal.throwIfAborted();
      }
      const entries = made.map(({ entry }) => entry);
      const clips = made.map(({ clip }) => clip);
      for (const { name, bytes } of lastOf(startedUs, clips)) {
        entries.push(await appendEntry(file, { name, date, bytes }));
      }
      await finishZip(file, entries, date);
    } finally {
      await file.close();
    }
    const sizeBytes = file.sizeBytes();
    await storage.move(growing, key);
    await storage.remove(stateOf);
    return { sizeBytes };
  }

  const keptBytes = made.reduce((sum, { entry }) => sum + entry.sizeBytes, 0);
  return { keptBytes, store };
}

async function readState(storage: Storage, key: string): Promise<State | null> {
  if ((await storage.stat(key)) === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of storage.read(key) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as State;
}

/** Returns the leading clips whose bytes are unchanged; null if nothing of an earlier attempt can be used. */
async function verify(storage: Storage, key: string, state: State | null, recipe: string): Promise<State | null> {
  if (state === null || state.format !== FORMAT || state.recipe !== recipe) return null;
  const made: State['made'] = [];
  for (const one of state.made) {
    const { dataOffset, sizeBytes } = one.entry;
    if ((await hashOf(storage, key, dataOffset, dataOffset + sizeBytes)) !== one.clip.sha256) break;
    made.push(one);
  }
  return made.length === 0 ? null : { ...state, made };
}

async function hashOf(storage: Storage, key: string, start: number, end: number): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of storage.read(key, { start, end }) as AsyncIterable<Uint8Array>) hash.update(chunk);
  } catch (error) {
    if (error instanceof NotStored) return null;
    throw error;
  }
  return hash.digest('hex');
}
