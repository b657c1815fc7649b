import { expect, it } from 'vitest';
import { crowded, findBreaches, importsOf, testImports } from './imports.ts';
import { directItemReads, mayImport, roomOf } from './rules.ts';

it('names the room of a file', () => {
  expect(roomOf('packages/klv/src/ber.ts')).toBe('packages/klv');
  expect(roomOf('apps/server/src/base/http/call-route.ts')).toBe('server/base/http');
  expect(roomOf('apps/server/src/features/missions/routes.ts')).toBe('server/features/missions');
  expect(roomOf('apps/server/src/media/index/sound.ts')).toBe('server/media/index');
  expect(roomOf('apps/server/src/recorder/ring/ring.ts')).toBe('server/recorder');
  expect(roomOf('apps/server/src/main.ts')).toBe('server/main');
  expect(roomOf('apps/web/src/ui/table/DataTable.tsx')).toBe('web/ui');
  expect(roomOf('vite.config.ts')).toBeNull();
});

it.each([
  ['packages/klv', 'packages/bytes', true],
  ['packages/klv', 'packages/mpegts', false],
  ['packages/geo', 'packages/bytes', false],
  ['server/base/http', 'server/base/access', true],
  ['server/base/items', 'server/base/access', true],
  ['server/base/access', 'server/base/items', false],
  ['server/base/made-tomorrow', 'server/base/items', true],
  ['server/base/http', 'server/features/missions', false],
  ['server/base/jobs', 'server/media/ingest', false],
  ['server/features/missions', 'server/base/access', true],
  ['server/features/missions', 'server/features/users', false],
  ['server/features/made-tomorrow', 'server/base/db', true],
  ['server/features/made-tomorrow', 'server/features/missions', false],
  ['server/features/samples', 'tools/simulator', true],
  ['server/features/missions', 'tools/simulator', false],
  ['server/made-tomorrow', 'server/base/db', false],
  ['server/media/index', 'server/base/storage', true],
  ['server/media/index', 'server/media/ingest', false],
  ['server/media/convert', 'server/media/ingest', true],
  ['server/recorder', 'server/live', false],
  ['server/live', 'server/recorder', true],
  ['server/recorder-wire', 'server/recorder', false],
  ['server/gateway', 'server/base/config', false],
  ['server/compose', 'server/features/users', true],
  ['server/compose', 'server/processes', false],
  ['server/processes', 'server/compose', true],
  ['server/main', 'server/processes', true],
  ['server/features/missions', 'server/compose', false],
  ['web/ui', 'web/missions', false],
  ['web/ui', 'web/api', false],
  ['web/shell', 'web/pages', false],
  ['web/onscreen', 'web/player', false],
  ['web/map', 'web/player', false],
  ['web/map', 'web/onscreen', true],
  ['web/live', 'web/missionview', true],
  ['web/missionview', 'web/live', false],
  ['web/missions', 'web/player', true],
  ['web/missions', 'web/documents', false],
  ['web/made-tomorrow', 'web/ui', true],
  ['web/ui', 'web/made-tomorrow', false],
  ['web/player', 'packages/klv', true],
  ['web/ui', 'packages/klv', false],
  ['web/pages', 'web/missions', true],
  ['web/missions', 'server/features/missions', false],
  ['tools', 'server/media/index', false],
  ['tools', 'server/base/items', true],
  ['tools', 'e2e', false],
  ['e2e', 'tools', true],
])('%s importing %s is %s', (from, to, allowed) => {
  expect(mayImport(from, to)).toBe(allowed);
});

it('names what a process reaches but may not, and the imports that lead there', () => {
  const edges = new Map([
    ['compose/recorder.ts', ['recorder/stream.ts', 'base/storage/folder.ts']],
    ['recorder/stream.ts', ['media/index/sound.ts', 'packages/klv/src/index.ts']],
    ['media/index/sound.ts', ['base/db/schema.ts']],
  ]);
  const at = (path: string) => (path.startsWith('packages/') ? path : `apps/server/src/${path}`);
  const placed = new Map([...edges].map(([file, targets]) => [at(file), targets.map(at)]));
  const wall = {
    from: at('compose/recorder.ts'),
    only: ['recorder/', 'media/index/', 'base/storage/'].map(at),
  };

  expect(findBreaches(placed, [wall])).toEqual([
    `${wall.from}: may not reach ${at('base/db/schema.ts')} (${[
      wall.from,
      ...['recorder/stream.ts', 'media/index/sound.ts', 'base/db/schema.ts'].map(at),
    ].join(' -> ')})`,
  ]);
  expect(findBreaches(new Map(), [wall])).toEqual([`${wall.from}: does not exist, but a wall names it`]);
});

it('finds static, dynamic, type and side-effect imports', () => {
  const source = `import a from 'a';\nimport type { B } from './b.ts';\nexport * from './c.ts';\nimport './d.css';\nconst e = () => import('./e.ts');\nimport {\n  f,\n} from './f.ts';`;

  expect(importsOf(source).map(({ specifier }) => specifier)).toEqual([
    'a',
    './b.ts',
    './c.ts',
    './d.css',
    './e.ts',
    './f.ts',
  ]);
});

it('names a page that imports more than 25 files at once', () => {
  const importing = (count: number) =>
    importsOf("import a from './a.ts';\n".repeat(count) + "import('./b.ts');\n".repeat(9));

  expect(crowded('apps/web/src/pages/APage.tsx', importing(25))).toEqual([]);
  expect(crowded('apps/web/src/pages/APage.tsx', importing(26))).toEqual([
    'apps/web/src/pages/APage.tsx: 26 imports, a page has at most 25',
  ]);
});

it('names what a file of the product imports of tests', () => {
  const source = "import { vi } from 'vitest';\nimport a from '../testing/show.tsx';\nimport b from './testing.ts';\n";

  expect(testImports('apps/web/src/map/MapPane.tsx', importsOf(source))).toEqual([
    'apps/web/src/map/MapPane.tsx:1: vitest is for tests: its users belong in test/ or testing/',
    'apps/web/src/map/MapPane.tsx:2: ../testing/show.tsx is for tests: its users belong in test/ or testing/',
  ]);
});

it('T-027 names the line of a query on an item table that goes past the two doors', () => {
  expect(directItemReads(`const a = 1;\nawait db.selectFrom('missions').selectAll().execute();`)).toEqual([2]);
  expect(directItemReads(`await tx.updateTable("sensors").set({})`)).toEqual([1]);
  expect(directItemReads(`await asSystem(db, 'ingest').updateTable('sensors').set({})`)).toEqual([]);
  expect(directItemReads(`await asSystem(db, 'ingest')\n  .updateTable('sensors')`)).toEqual([]);
  expect(directItemReads(`await visible(db, actor).select('missions.id')`)).toEqual([]);
  expect(directItemReads(`await db.selectFrom('users')`)).toEqual([]);
  expect(directItemReads(`.where((eb) => eb.exists(eb.selectFrom('files').select('id')))`)).toEqual([]);
});

it('T-027 names the line of a join and of raw SQL that reach an item table past the two doors', () => {
  const inner = `.where((eb) => eb.exists(eb.selectFrom('files').select('id')))`;
  const join = `\n  .innerJoin('missions', 'missions.id', 'jobs.mission_id')`;

  expect(directItemReads(`await db.selectFrom('jobs')${join}`)).toEqual([2]);
  expect(directItemReads(`await tx.selectFrom('jobs').leftJoin(\n"documents", 'documents.id', 'jobs.id')`)).toEqual([
    1,
  ]);
  expect(directItemReads(`visible(db, actor);\nawait db.selectFrom('jobs')${join}`)).toEqual([3]);
  expect(directItemReads(`await asSystem(db, 'health').selectFrom('jobs')${join}`)).toEqual([]);
  expect(directItemReads(`await asSystem(db, 'health')\n.selectFrom('jobs')${join}`)).toEqual([]);
  expect(directItemReads(`await visible(db, actor)\n.innerJoin('sensors', 'a', 'b')`)).toEqual([]);
  expect(directItemReads(`await documentsInBin(db, actor).innerJoin('document_shapes', 'a', 'b')`)).toEqual([]);
  expect(directItemReads(`await db.selectFrom('jobs').innerJoin('users', 'users.id', 'jobs.user')`)).toEqual([]);
  expect(directItemReads(`await db.selectFrom('jobs')\n${inner}`)).toEqual([2]);
  expect(directItemReads(`await asSystem(db, 'sweep').selectFrom('sensors')\n${inner}`)).toEqual([]);

  const raw = 'const { rows } = await sql<{ id: string }>`\n select id from missions where id = 7`';
  expect(directItemReads(`${raw}.execute(db)`)).toEqual([1]);
  expect(directItemReads(`${raw}\n.execute(asSystem(db, 'start'))`)).toEqual([]);
  expect(directItemReads(`${raw}.as('missions')`)).toEqual([]);
  expect(directItemReads('await sql`select id from mission_usergroups`.execute(db)')).toEqual([]);
});
