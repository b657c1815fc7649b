import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '@osprey/contract';
import { type Tile, TileFault, type TileSetFacts } from './tile-set.ts';

/** A tile file: the extension of `name` gives the format, `version` changes with the bytes. */
export type TileFileRef = { path: string; name: string; version: string };
/**
 * Request to the child process: the facts of a file, its facts after checking some tiles (`judge`), closing it
 * (`forget`), or one tile.
 */
export type TileOrder = TileFileRef & { ask: 'facts' | 'judge' | 'forget' | [z: number, x: number, y: number] };
export type TileReply = { facts: TileSetFacts } | { tile: Tile | null } | { fault: string };

type Waiting = { order: TileOrder; resolve: (reply: TileReply) => void; reject: (error: Error) => void };

/**
 * Maximum number of waiting requests; further ones are refused as unavailable. A map requests some dozen tiles at a
 * time.
 */
const QUEUE_MAX = 1000;
const HEAP_MB = 128;

/**
 * Reads tile sets in a child process, one request after another. A file that occupies it for longer than `limitMs`, or
 * crashes it, affects only that process.
 */
export function tileReader({ limitMs }: { limitMs: number }) {
  const queue: Waiting[] = [];
  let child: ChildProcess | null = null;
  let isReady = false;
  let current: Waiting | null = null;
  let timer: NodeJS.Timeout | null = null;

  function start(): ChildProcess {
    const started = fork(join(import.meta.dirname, 'child.ts'), [], {
      serialization: 'advanced',
      // The child process gets no environment variables, since some contain secrets of the server.
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('message', (message: TileReply | 'ready') => {
      if (child !== started) return;
      if (message === 'ready') {
        isReady = true;
        give(started);
      } else settle((one) => one.resolve(message));
    });
    started.on('error', () => lost(started, 'its reader could not be started'));
    started.on('exit', () => lost(started, 'its reader broke down over it'));
    return started;
  }

  function settle(end: (one: Waiting) => void): void {
    if (timer) clearTimeout(timer);
    const ended = current;
    current = null;
    if (ended) end(ended);
    next();
  }

  function lost(which: ChildProcess, why: string): void {
    if (child !== which) return;
    child = null;
    isReady = false;
    which.kill('SIGKILL');
    settle((one) => one.reject(new TileFault(why)));
  }

  function next(): void {
    if (current) return;
    current = queue.shift() ?? null;
    if (!current) return;
    child ??= start();
    if (isReady) give(child);
  }

  /**
   * Sends the current request to the child process. The time limit begins only now, since starting the process may take
   * long on a busy machine.
   */
  function give(reader: ChildProcess): void {
    if (!current) return;
    timer = setTimeout(() => lost(reader, `reading it takes longer than ${limitMs / 1000} s`), limitMs);
    reader.send(current.order);
  }

  function ask(order: TileOrder): Promise<TileReply> {
    if (queue.length >= QUEUE_MAX) return Promise.reject(new AppError('unavailable'));
    return new Promise((resolve, reject) => {
      queue.push({ order, resolve, reject });
      next();
    });
  }

  async function factsBy(order: TileOrder): Promise<TileSetFacts> {
    const reply = await ask(order);
    if ('facts' in reply) return reply.facts;
    throw new TileFault('fault' in reply ? reply.fault : '');
  }

  return {
    /** @throws TileFault */
    facts: ({ path, name, version }: TileFileRef): Promise<TileSetFacts> =>
      factsBy({ path, name, version, ask: 'facts' }),
    /** Returns the facts of a file that is not served yet, after reading some of its tiles. @throws TileFault */
    judge: (file: TileFileRef): Promise<TileSetFacts> => factsBy({ ...file, ask: 'judge' }),
    /** Closes a file, so that the space of a removed file is freed. */
    async forget({ path, name, version }: TileFileRef): Promise<void> {
      await ask({ path, name, version, ask: 'forget' });
    },
    /** @throws TileFault, or AppError unavailable if too many requests are waiting */
    async tile({ path, name, version }: TileFileRef, tile: [number, number, number]): Promise<Tile | null> {
      const reply = await ask({ path, name, version, ask: tile });
      if ('tile' in reply) return reply.tile;
      throw new TileFault('fault' in reply ? reply.fault : '');
    },
    close(): void {
      const ended = child;
      child = null;
      isReady = false;
      ended?.kill('SIGKILL');
      for (const one of queue.splice(0)) one.reject(new AppError('unavailable'));
      settle((one) => one.reject(new AppError('unavailable')));
    },
  };
}

export type TileReader = ReturnType<typeof tileReader>;
