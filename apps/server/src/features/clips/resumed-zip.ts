import { createHash } from 'node:crypto';
import type { ClipManifest } from '@osprey/contract';
import { makingKey, stateKey } from '../../base/jobs/export-tasks.ts';
import { appendEntry, endOf, finishZip, type GrownEntry } from '../../base/storage/growing-zip.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { summing } from '../../base/storage/zip-writer.ts';
import type { ClipFile } from './package.ts';

/** How a try is followed, and ended: by a cancel, a lost right, or a server that stops. */
export type Interrupted = { signal: AbortSignal; wrote: (bytes: number) => void };

type Clip = ClipManifest['clips'][number];

/** Changed with the form of the entries: a zip that was begun in another form is begun again. */
const FORMAT = 2;

/** State of the growing zip so far, stored next to it. Only the server writes it. */
type State = { format: number; recipe: string; startedUs: number; made: { entry: GrownEntry; clip: Clip }[] };

type Options = {
  storage: Storage;
  taskId: string;
  nowUs: number;
  recipe: string;
  filesOf: (startedUs: number) => ClipFile[];
  /** Entries after the clips, which are in the order of their files. */
  lastOf: (startedUs: number, clips: readonly Clip[]) => { name: string; bytes: Buffer }[];
};

/**
 * Writes a zip of clips, going on where an earlier try ended: whole clips that still have their SHA-256 are kept, and
 * entries have the time of the first try.
 */
export async function resumedZip({ storage, taskId, nowUs, recipe, filesOf, lastOf }: Options) {
  const [growing, stateOf] = [makingKey(taskId), stateKey(taskId)];
  const state = await verified(storage, growing, await readState(storage, stateOf), recipe);
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
        const onWrite = (part: Uint8Array) => wrote(part.byteLength);
        async function* watched() {
          for await (const part of bytes()) {
            signal.throwIfAborted();
            yield part;
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
  const parts: Uint8Array[] = [];
  for await (const part of storage.read(key) as AsyncIterable<Uint8Array>) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as State;
}

/** The clips at the beginning whose bytes are what they were; null where nothing is left of another try. */
async function verified(storage: Storage, key: string, state: State | null, recipe: string): Promise<State | null> {
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
    for await (const part of storage.read(key, { start, end }) as AsyncIterable<Uint8Array>) hash.update(part);
  } catch (error) {
    if (error instanceof NotStored) return null;
    throw error;
  }
  return hash.digest('hex');
}
