import { expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { directItemReads, mayImport, roomOf } from './rules.ts';

it('names the room of a file', () => {
  expect(roomOf('packages/klv/src/ber.ts')).toBe('packages/klv');
  expect(roomOf('apps/server/src/base/http/call-route.ts')).toBe('server/http');
  expect(roomOf('apps/server/src/compose.ts')).toBe('server/compose');
  expect(roomOf('apps/web/src/pages/MissionsPage.tsx')).toBe('web/pages');
  expect(roomOf('vite.config.ts')).toBeNull();
});

it.each([
  ['packages/klv', 'packages/bytes', true],
  ['packages/klv', 'packages/mpegts', false],
  ['packages/geo', 'packages/bytes', false],
  ['server/http', 'server/missions', false],
  ['server/http', 'server/config', true],
  ['server/missions', 'server/access', true],
  ['server/missions', 'server/users', false],
  ['server/compose', 'server/users', true],
  ['server/media', 'server/storage', true],
  ['web/ui', 'web/missions', false],
  ['web/player', 'packages/klv', true],
  ['web/ui', 'packages/klv', false],
  ['web/pages', 'web/missions', true],
  ['web/missions', 'server/missions', false],
  ['tools', 'server/media', false],
  ['tools', 'e2e', true],
])('%s importing %s is %s', (from, to, allowed) => {
  expect(mayImport(from, to)).toBe(allowed);
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
