import { describe, expect, it } from 'vitest';
import { declaredTables, foreignTables, mayName, namedTables, ownersOf } from './tables.ts';

const declaration = (...tables: string[]) =>
  `declare module '../../base/db/schema.ts' {\n  interface Database {\n    /** Words: of a comment. */\n${tables
    .map((table) => `    ${table}: {\n      id: string;\n    };\n`)
    .join('')}  }\n}\n`;
const at = (path: string) => `apps/server/src/${path}`;

const { owners } = ownersOf(
  new Map([
    [at('base/access/tables.ts'), declaration('users')],
    [at('base/items/tables.ts'), declaration('missions')],
    [at('features/missions/tables.ts'), declaration('missions')],
    [at('features/walls/tables.ts'), declaration('walls', 'wall_tiles')],
  ]),
);

describe('owners of tables', () => {
  it('are the folders whose files add them to Database', () => {
    expect(declaredTables(declaration('walls', 'wall_tiles'))).toEqual(['walls', 'wall_tiles']);
    expect(declaredTables('export interface Database {\n  settings: { key: string };\n}\n')).toEqual(['settings']);
    expect(owners.get('missions')).toEqual(['server/base/items', 'server/features/missions']);
  });

  it('are one feature at most', () => {
    const files = [at('features/walls/tables.ts'), at('features/doors/tables.ts')];
    const { problems } = ownersOf(new Map(files.map((file) => [file, declaration('walls')])));

    expect(problems).toEqual([`${files[1]}: table walls has another feature too`]);
  });
});

it.each([
  ['server/features/walls', 'walls', true],
  ['server/features/missions', 'walls', false],
  ['server/features/missions', 'missions', true],
  ['server/features/walls', 'missions', false],
  ['server/features/walls', 'users', true],
  ['server/base/audit', 'missions', true],
  ['server/base/access', 'missions', false],
  ['server/media/ingest', 'missions', true],
  ['server/media/ingest', 'walls', false],
  ['server/compose', 'walls', true],
])('queries in %s may name %s: %s', (room, table, allowed) => {
  expect(mayName(room, owners.get(table) ?? [])).toBe(allowed);
});

describe('tables that a file names', () => {
  const known = new Set(['walls', 'wall_tiles', 'missions']);
  const named = (source: string) => namedTables(source, known).map(({ table, line }) => `${line} ${table}`);

  it('are found where a query begins, in joins and in sub-queries', () => {
    expect(named(`db\n  .selectFrom('walls as wall')`)).toEqual(['2 walls']);
    expect(named(`db.insertInto('walls')`)).toEqual(['1 walls']);
    expect(named(`db.selectFrom(['walls', "missions"])`)).toEqual(['1 walls', '1 missions']);
    expect(named(`visible(db, actor)\n.leftJoin(\n'wall_tiles', 'a', 'b')`)).toEqual(['2 wall_tiles']);
    expect(named(`eb.exists(eb.selectFrom('walls'))`)).toEqual(['1 walls']);
    expect(named(`query.select('walls.id').where('walls.id', '=', id)`)).toEqual([]);
  });

  it('are found in raw SQL, and not in other texts', () => {
    expect(named('sql<string[]>`array(\n select id from wall_tiles where wall = walls.id)`')).toEqual(['2 wall_tiles']);
    expect(named('sql`update walls set a = 1`')).toEqual(['1 walls']);
    expect(named('sql`delete from walls using missions`')).toEqual(['1 walls', '1 missions']);
    expect(named('const text = `a view from walls`;')).toEqual([]);
    expect(named('// from walls')).toEqual([]);
  });

  it('make a sentence where the room may not name them', () => {
    const file = at('features/walls/rows.ts');

    expect(foreignTables(file, `db.selectFrom('walls');\ndb.selectFrom('missions');`, owners)).toEqual([
      `${file}:2: server/features/walls may not query missions, a table of server/base/items and server/features/missions`,
    ]);
  });
});
