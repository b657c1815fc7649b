/** Which room of the house a file belongs to, and which rooms each may import. docs/architecture.md says the same in words. */

const SERVER_FOUNDATIONS = ['http', 'ws', 'access', 'db', 'storage', 'jobs', 'ffmpeg', 'audit'];
const SERVER_PIPELINE = ['uploads', 'media', 'telemetry', 'live', 'recorder', 'recorder-wire', 'gateway'];
/** Rooms that know all others. */
const SERVER_TOP = ['main', 'compose', 'processes', 'commands'];
const WEB_FOUNDATIONS = ['base', 'shell', 'ui', 'api', 'events'];
const WEB_SHARED = ['onscreen', 'map', 'player', 'timeline', 'telemetry', 'health', 'uploads', 'clock'];

/** `packages/klv`, `server/http`, `web/pages`, `tools`, `e2e`; null for files that no rule speaks of. */
export function roomOf(path: string): string | null {
  const [top, second, src, folder, ...rest] = path
    .replace(/^(apps\/server\/src)\/(?:base|features)\//, '$1/')
    .split('/');
  if (top === 'packages' && second) return `packages/${second}`;
  if (top === 'e2e' || top === 'scripts') return top;
  if (top === 'tools') return second === 'simulator' ? 'tools/simulator' : 'tools';
  if (top !== 'apps' || src !== 'src' || folder === undefined) return null;
  // A file that lies directly in src (main.ts, config.ts, compose.ts) is a room of its own.
  return rest.length === 0 ? `${second}/${folder.replace(/\.tsx?$/, '')}` : `${second}/${folder}`;
}

const allPackages = (room: string) => room.startsWith('packages/');

/** Whether code in room `from` may import code in room `to`. */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const [side, name] = from.split('/') as [string, string | undefined];
  if (side === 'packages') return to === 'packages/bytes' && (name === 'mpegts' || name === 'klv');
  // Benches that need a browser drive it as the browser tests do.
  if (side === 'scripts' || side === 'e2e' || side === 'tools') return allPackages(to) || /^(?:tools|e2e)/.test(to);
  if (side === 'server') return mayServerImport(name ?? '', to);
  if (side === 'web') return mayWebImport(name ?? '', to);
  return false;
}

function mayServerImport(name: string, to: string): boolean {
  if (allPackages(to)) return true;
  const [side, target = ''] = to.split('/');
  if (name === 'samples' && to === 'tools/simulator') return true;
  if (side !== 'server') return false;
  if (SERVER_TOP.includes(name)) return true;
  if (name === 'config' && target === 'config-options') return true;
  if (target === 'config' || SERVER_FOUNDATIONS.includes(target)) return true;
  return SERVER_PIPELINE.includes(target) && !SERVER_FOUNDATIONS.includes(name);
}

function mayWebImport(name: string, to: string): boolean {
  if (to === 'packages/contract' || to === 'packages/geo') return true;
  const [side, target = ''] = to.split('/');
  if (WEB_FOUNDATIONS.includes(name)) {
    return side === 'web' && WEB_FOUNDATIONS.includes(target);
  }
  if (to === 'packages/klv') return true;
  if (side !== 'web') return false;
  if (name === 'main' || name === 'pages') return true;
  if (WEB_FOUNDATIONS.includes(target)) return true;
  // The live view is laid out as the mission view is.
  return WEB_SHARED.includes(target) || (name === 'live' && target === 'missionview');
}

/** Modules that only Node has: never in packages or the web client. */
export const isNodeOnly = (specifier: string): boolean => specifier.startsWith('node:') || specifier === 'pg';

export const mustRunInBrowsers = (room: string): boolean => room.startsWith('packages/') || room.startsWith('web/');

/** Tables whose rows carry a label: read only through `visible(db, actor)` or `asSystem(db, reason)`. */
const ITEM_TABLES = [
  'missions',
  'mission_shapes',
  'sensors',
  'files',
  'documents',
  'document_shapes',
  'platforms',
  'platform_sensors',
  'platform_versions',
];

const ITEM_TABLE = `(?:${ITEM_TABLES.join('|')})\\b`;
const BEGIN = '(?:selectFrom|updateTable|deleteFrom|insertInto)\\(';
const PAST_DOORS = '(?<!\\beb|asSystem\\([^)]*\\)\\s*)';

// A sub-query (`eb`) stands inside a query that went through a door; whether it did is asked below.
const directRead = new RegExp(
  `${PAST_DOORS}\\.(?:selectFrom|updateTable|deleteFrom)\\(\\s*\\[?\\s*['"]${ITEM_TABLE}`,
  'g',
);
/** Joined onto what another query began with, or asked inside it. */
const furtherRead = new RegExp(
  `\\.(?:inner|left|right|full|cross)Join\\(\\s*['"]${ITEM_TABLE}|\\beb\\.selectFrom\\(\\s*\\[?\\s*['"]${ITEM_TABLE}`,
  'g',
);
/** Where queries begin; the group is missing for those that went through a door. */
const beginning = new RegExp(
  `\\b(?:visible\\w*|documentsInBin)\\(|\\basSystem\\([^)]*\\)\\s*\\.${BEGIN}|${PAST_DOORS}(\\.${BEGIN})`,
  'g',
);
const rawRead = new RegExp(
  `\\bsql(?:<[^\`]*?>)?\`[^\`]*?\\b(?:from|join|update)\\s+${ITEM_TABLE}[^\`]*\`\\s*\\.execute\\(\\s*(?!asSystem\\()`,
  'gi',
);

/** Lines (from 1) of a server file that read an item table past the two allowed doors. */
export function directItemReads(source: string): number[] {
  const begun = [...source.matchAll(beginning)];
  const further = [...source.matchAll(furtherRead)].filter(
    ({ index }) => begun.findLast((one) => one.index < index)?.[1] !== undefined,
  );
  const found = [...source.matchAll(directRead), ...further, ...source.matchAll(rawRead)];
  const lines = found.map(({ index }) => source.slice(0, index).split('\n').length);
  return [...new Set(lines)].sort((a, b) => a - b);
}
