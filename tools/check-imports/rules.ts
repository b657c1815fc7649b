import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { type StoredItems, storedItems, tablesOf } from '../../apps/server/src/base/items/table.ts';

/**
 * Determines the room (module group) to which a file belongs, and which rooms it may import. Rooms follow from folders:
 * a new folder under `base/` or `features/` of the server, or next to the features of the client, needs no entry here.
 * docs/architecture.md describes the same rules in words.
 */

/** Rooms of the server, below apps/server/src. A room may import itself and the listed rooms; `*` means every room. */
const server: Record<string, readonly string[]> = {
  telemetry: ['base'],
  'media/index': ['base', 'telemetry'],
  'media/formats': ['base'],
  'media/ingest': ['base', 'telemetry', 'media/index', 'media/formats'],
  'media/play': ['base', 'telemetry', 'media/index'],
  'media/anchors': ['base', 'telemetry', 'media/index', 'media/play'],
  'media/convert': ['base', 'telemetry', 'media/index', 'media/ingest'],
  uploads: ['base', 'media/formats', 'media/ingest'],
  'recorder-wire': [],
  recorder: ['base', 'telemetry', 'media/index', 'recorder-wire'],
  gateway: ['recorder-wire'],
  live: ['base', 'telemetry', 'media', 'recorder-wire', 'recorder', 'gateway'],
  features: ['base', 'telemetry', 'media', 'uploads', 'recorder-wire', 'live'],
  compose: ['base', 'telemetry', 'media', 'uploads', 'recorder-wire', 'recorder', 'gateway', 'live', 'features'],
  processes: ['*'],
  commands: ['*'],
  main: ['base', 'processes'],
};
/**
 * Foundation rooms, below apps/server/src/base, lowest first. A room may import rooms from the lines before its own.
 */
const base: readonly (readonly string[])[] = [
  ['config', 'storage', 'ffmpeg', 'formats'],
  ['db'],
  ['access'],
  ['items'],
  ['audit'],
  ['http'],
  ['jobs', 'ws'],
  ['stored'],
];
/** Folders in which each subfolder is a room. */
const SERVER_GROUPS = ['base', 'features', 'media'];

/**
 * Everything that a process may reach through any number of imports. Recorder and gateway work without the database and
 * must not depend on a feature.
 */
export const walls: readonly { from: string; only: readonly string[] }[] = [
  {
    from: 'compose/recorder.ts',
    only: [
      ...['recorder/', 'recorder-wire/', 'media/index/', 'telemetry/'],
      ...['base/access/', 'base/config/', 'base/ffmpeg/', 'base/storage/'],
    ],
  },
  { from: 'compose/gateway.ts', only: ['gateway/', 'recorder-wire/', 'base/config/'] },
].map(({ from, only }) => ({ from: `apps/server/src/${from}`, only: only.map((path) => `apps/server/src/${path}`) }));

/** Rooms of the client, below apps/web/src, lowest first. A room may import rooms from the lines before its own. */
const web: readonly (readonly string[])[] = [
  ['base'],
  ['ui'],
  ['api'],
  ['events'],
  ['shell', 'uploads', 'onscreen'],
  ['map', 'player', 'timeline', 'telemetry'],
  ['health'],
  ['missionview'],
  ['live'],
  // `cases` is below the features, since everything that a feature shows can be added to a case.
  ['cases'],
  // Any other folder is a feature with its screens. Features must not import each other.
  ['*'],
  ['pages'],
  ['main'],
];
const FEATURE_LAYER = web.findIndex(([room]) => room === '*');
/** Lowest layer that may refer to KLV tags. */
const KLV_LAYER = web.findIndex((rooms) => rooms.includes('onscreen'));

/**
 * Returns the room of a file, such as `packages/klv`, `server/base/http`, `web/pages`, `tools` or `e2e`; null for files
 * without a rule.
 */
export function roomOf(path: string): string | null {
  const [top, second, src, folder, ...rest] = path.split('/');
  if (top === 'packages' && second) return `packages/${second}`;
  if (top === 'e2e' || top === 'scripts') return top;
  if (top === 'tools') return second === 'simulator' ? 'tools/simulator' : 'tools';
  if (top !== 'apps' || src !== 'src' || folder === undefined) return null;
  // A file directly in src (main.ts) is a room of its own.
  if (rest.length === 0) return `${second}/${folder.replace(/\.tsx?$/, '')}`;
  const isGroup = second === 'server' && SERVER_GROUPS.includes(folder);
  return isGroup ? `${second}/${folder}/${rest[0]}` : `${second}/${folder}`;
}

const isPackage = (room: string) => room.startsWith('packages/');

/** Whether code in room `from` may import code in room `to`. */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const side = from.split('/')[0] ?? '';
  const [name, target] = [from, to].map((room) => room.slice(room.indexOf('/') + 1)) as [string, string];
  if (side === 'packages') return to === 'packages/bytes' && (name === 'mpegts' || name === 'klv');
  // The import check reads the names of the item tables from the table that the server uses.
  if (side === 'tools' && to === 'server/base/items') return true;
  if (side === 'scripts' || side === 'e2e' || side === 'tools') return isPackage(to) || to.startsWith('tools');
  if (side === 'server') return mayServerImport(name, { to, target });
  if (side === 'web') return mayWebImport(name, { to, target });
  return false;
}

type Target = { to: string; target: string };

function mayServerImport(name: string, { to, target }: Target): boolean {
  if (isPackage(to)) return true;
  // The feature `samples` uses the simulator to make sample missions.
  if (name === 'features/samples' && to === 'tools/simulator') return true;
  if (!to.startsWith('server/')) return false;
  if (name.startsWith('base/')) return target.startsWith('base/') && baseLayerOf(target) < baseLayerOf(name);
  const allowed = server[name] ?? server[name.split('/')[0] ?? ''] ?? [];
  return allowed.some((room) => room === '*' || target === room || target.startsWith(`${room}/`));
}

/** Returns the layer of a foundation room; an unlisted one is above all others. */
function baseLayerOf(room: string): number {
  const layer = base.findIndex((rooms) => rooms.includes(room.slice('base/'.length)));
  return layer < 0 ? base.length : layer;
}

function mayWebImport(name: string, { to, target }: Target): boolean {
  if (to === 'packages/contract' || to === 'packages/geo') return true;
  // The page `check` checks packages on any machine, and contains no other part of the client.
  if (to === 'packages/case-package') return name === 'check';
  // Needed for the names of ship types and flags, and for the texts of messages.
  if (to === 'packages/ais') return layerOf(name) >= FEATURE_LAYER;
  // Needed to recognise a dropped file by its first bytes.
  if (to === 'packages/mpegts') return name === 'missions';
  if (to === 'packages/klv' || to === 'packages/ais') return layerOf(name) >= KLV_LAYER;
  return to.startsWith('web/') && layerOf(target) < layerOf(name);
}

function layerOf(room: string): number {
  const layer = web.findIndex((rooms) => rooms.includes(room));
  return layer < 0 ? FEATURE_LAYER : layer;
}

/** Whether a module exists only in Node, so that packages and the web client must not import it. */
export const isNodeOnly = (specifier: string): boolean => specifier.startsWith('node:') || specifier === 'pg';

export const mustRunInBrowsers = (room: string): boolean => room.startsWith('packages/') || room.startsWith('web/');

const root = resolve(import.meta.dirname, '../..');
/** Items declared by the features themselves. */
const ofFeatures: Record<string, StoredItems>[] = await Promise.all(
  globSync('apps/server/src/features/**/item.ts', { cwd: root }).map((file) => import(resolve(root, file))),
);
const itemTables = [storedItems, ...ofFeatures.flatMap((one) => Object.values(one))].flatMap(tablesOf);

/**
 * Matches tables of items with rights, which may be read only through `visible(db, actor)` or `asSystem(db, reason)`.
 */
const ITEM_TABLE = `(?:${itemTables.join('|')})\\b`;
const BEGIN = '(?:selectFrom|updateTable|deleteFrom|insertInto)\\(';
const PAST_DOORS = '(?<!\\beb|asSystem\\([^)]*\\)\\s*)';

// Matches direct reads. Sub-queries (`eb`) are excluded, since they are part of another query; `furtherRead` checks
// whether that query is allowed.
const directRead = new RegExp(
  `${PAST_DOORS}\\.(?:selectFrom|updateTable|deleteFrom)\\(\\s*\\[?\\s*['"]${ITEM_TABLE}`,
  'g',
);
/** Matches item tables that are joined to another query or read in a sub-query. */
const furtherRead = new RegExp(
  `\\.(?:inner|left|right|full|cross)Join\\(\\s*['"]${ITEM_TABLE}|\\beb\\.selectFrom\\(\\s*\\[?\\s*['"]${ITEM_TABLE}`,
  'g',
);
/**
 * Matches the beginnings of queries. The capture group is empty for those that begin with `visible()` or `asSystem()`.
 */
const beginning = new RegExp(
  `\\b(?:visible\\w*|documentsInBin)\\(|\\basSystem\\([^)]*\\)\\s*\\.${BEGIN}|${PAST_DOORS}(\\.${BEGIN})`,
  'g',
);
const rawRead = new RegExp(
  `\\bsql(?:<[^\`]*?>)?\`[^\`]*?\\b(?:from|join|update)\\s+${ITEM_TABLE}[^\`]*\`\\s*\\.execute\\(\\s*(?!asSystem\\()`,
  'gi',
);

/**
 * Returns the lines (counted from 1) of a server file that read an item table other than through `visible()` or
 * `asSystem()`.
 */
export function directItemReads(source: string): number[] {
  const begun = [...source.matchAll(beginning)];
  const further = [...source.matchAll(furtherRead)].filter(
    ({ index }) => begun.findLast((one) => one.index < index)?.[1] !== undefined,
  );
  const found = [...source.matchAll(directRead), ...further, ...source.matchAll(rawRead)];
  const lines = found.map(({ index }) => source.slice(0, index).split('\n').length);
  return [...new Set(lines)].sort((a, b) => a - b);
}
