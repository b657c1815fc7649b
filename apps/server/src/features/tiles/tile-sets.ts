import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { AppError, type MapLayer, type TileFile } from '@osprey/contract';
import type { TileReader } from './tile-reader.ts';
import { type Tile, TileFault, type TileSetFacts } from './tile-set.ts';

export const ENDINGS: ReadonlySet<string> = new Set(['.mbtiles', '.pmtiles']);
export const FILES_MAX = 200;
/** Interval at which added and removed files are noticed, in milliseconds. */
const CHECK_MS = 2000;
/**
 * Time after which a faulty file is checked again, in milliseconds, since the reader may have been slow or killed for
 * another reason.
 */
const RECHECK_MS = 5 * 60_000;

type Found = { id: string; name: string; path: string; version: string; sizeBytes: number };
type Existing = Found & ({ facts: TileSetFacts } | { fault: string; sinceMs: number });

export type TileSetsDeps = { folder: string; reader: TileReader; nowMs: () => number };

export type TileSets = ReturnType<typeof tileSets>;

/** The tile sets of this site: the files of one folder. Requests refer to them by id, never by path. */
export function tileSets({ folder, reader, nowMs }: TileSetsDeps) {
  let existing = new Map<string, Existing>();
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  function refresh(): Promise<void> {
    if (looking === null && nowMs() - lookedMs >= CHECK_MS) {
      looking = lookAgain().finally(() => {
        looking = null;
        lookedMs = nowMs();
      });
    }
    return looking ?? Promise.resolve();
  }

  async function lookAgain(): Promise<void> {
    const next = new Map<string, Existing>();
    for (const file of await filesIn(folder)) {
      const before = existing.get(file.id);
      const stays = before?.version === file.version && !isDue(before);
      next.set(file.id, stays ? before : await judge(file));
    }
    existing = next;
  }

  const isDue = (one: Existing) => 'fault' in one && nowMs() - one.sinceMs > RECHECK_MS;

  async function judge(file: Found): Promise<Existing> {
    try {
      return { ...file, facts: await reader.facts(file) };
    } catch (error) {
      if (error instanceof TileFault) return { ...file, fault: error.message, sinceMs: nowMs() };
      throw error;
    }
  }

  return {
    folder,
    /** Lists the readable layers, sorted by title. */
    async layers(): Promise<MapLayer[]> {
      await refresh();
      const good = [...existing.values()].flatMap((one) => ('facts' in one ? one : []));
      return good.map(layerOf).sort((a, b) => a.title.localeCompare(b.title, 'en'));
    },
    /** Lists all files, sorted by name. */
    async files(): Promise<TileFile[]> {
      await refresh();
      return [...existing.values()].map(fileOf);
    },
    /** Reads the folder again after a change, so that all later results include the change. */
    async lookNow(): Promise<void> {
      await looking;
      lookedMs = Number.NEGATIVE_INFINITY;
      await refresh();
    },
    /** Returns name, path and version of a file. @throws AppError notFound */
    fileOf(id: string): Pick<Found, 'name' | 'path' | 'version'> {
      const found = existing.get(id);
      if (found === undefined) throw new AppError('notFound');
      return found;
    },
    /** Returns the version of a tile set, for the entity tags of its tiles. @throws AppError notFound */
    async versionOf(id: string): Promise<string> {
      await refresh();
      const found = existing.get(id);
      if (found === undefined || 'fault' in found) throw new AppError('notFound');
      return found.version;
    },
    /**
     * Returns a tile; null if the set does not contain it. A set that turns out to be broken is no longer served.
     * @throws AppError
     */
    async tile(id: string, place: [z: number, x: number, y: number]): Promise<Tile | null> {
      const found = existing.get(id);
      if (found === undefined || 'fault' in found) throw new AppError('notFound');
      const { facts, ...file } = found;
      const [z, x, y] = place;
      if (z < facts.minZoom || z > facts.maxZoom || x >= 2 ** z || y >= 2 ** z) return null;
      try {
        return await reader.tile(file, place);
      } catch (error) {
        if (!(error instanceof TileFault)) throw error;
        existing.set(id, { ...file, fault: error.message, sinceMs: nowMs() });
        throw new AppError('notFound', {}, error);
      }
    },
    /** Health check of the tile sets. */
    async check(): Promise<{ name: string; state: 'ok' | 'warning'; text: string }> {
      await refresh();
      const all = [...existing.values()];
      const broken = all.flatMap((one) => ('fault' in one ? `${one.name}: ${one.fault}` : []));
      if (broken.length > 0) {
        return { name: 'map tiles', state: 'warning', text: `Map layers that cannot be shown: ${broken.join('; ')}.` };
      }
      const text = all.length === 0 ? 'No map layers of this site.' : `Map layers of this site: ${all.length}.`;
      return { name: 'map tiles', state: 'ok', text };
    },
    /** Closes a removed file. */
    forget: reader.forget,
    close: reader.close,
  };
}

const layerOf = ({ id, name, version, facts }: Found & { facts: TileSetFacts }): MapLayer => ({
  ...facts,
  _id: id,
  title: facts.title || name.slice(0, -extname(name).length),
  tileLayer: `/api/map/tiles/${id}/{z}/{x}/{y}?v=${version}`,
});

const fileOf = (one: Existing): TileFile => ({
  _id: one.id,
  name: one.name,
  sizeBytes: one.sizeBytes,
  layer: 'facts' in one ? layerOf(one) : null,
  fault: 'facts' in one ? null : one.fault,
});

async function filesIn(folder: string): Promise<Found[]> {
  // A missing folder is no error, since most sites have no tiles of their own.
  const names = await readdir(folder).catch(() => []);
  const requested = names.filter((name) => ENDINGS.has(extname(name)) && !name.startsWith('.')).sort();
  const found: Found[] = [];
  for (const name of requested.slice(0, FILES_MAX)) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => null);
    if (!file?.isFile()) continue;
    const version = versionOf(file);
    found.push({ id: hash(name), name, path, version, sizeBytes: file.size });
  }
  return found;
}

/** Returns the version of a file, which changes with its bytes. */
export const versionOf = ({ mtimeMs, size, ino }: Pick<Stats, 'mtimeMs' | 'size' | 'ino'>): string =>
  hash(`${mtimeMs} ${size} ${ino}`);

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
