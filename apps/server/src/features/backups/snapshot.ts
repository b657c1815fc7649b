import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Rows of these are not content: what kysely and our own runs keep, and uploads whose bytes are left out. */
const LEFT_OUT = [
  ...['kysely_migration', 'kysely_migration_lock', 'backup_runs', 'uploads'],
  // Made again of the telemetry.
  ...['coverage_sensors', 'coverage_minutes', 'coverage_seen'],
  // Made again of positions.
  'ais_minutes',
];

export type TableShape = { name: string; columns: string[] };

export type Snapshot = {
  schemaVersion: string;
  /** Referenced tables come first. */
  tables: TableShape[];
  /** Rows as COPY writes them; `rows` holds their number once the stream has ended. */
  copy: (table: TableShape) => { stream: Readable; rows: () => number };
  close: () => Promise<void>;
};

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(', ');

/** All tables in one snapshot of the database, however long it takes to read them. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  // A connection that breaks fails the query under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    const version = await client.query<{ name: string }>(
      'select name from kysely_migration order by name desc limit 1',
    );
    return {
      schemaVersion: version.rows[0]?.name ?? '',
      tables: await tablesOf(client),
      copy(table) {
        const stream = client.query(copyTo(`copy ${quoted(table.name)} (${columnList(table)}) to stdout`));
        // Readers get the error themselves; a stream that was never read, because the disk is full, must not crash the
        // process.
        stream.on('error', () => undefined);
        return { stream, rows: () => stream.rowCount };
      },
      async close() {
        await client.end();
      },
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Generated columns are left out: COPY cannot write them back. Partitions hold what is kept for some days only. */
export async function tablesOf(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition and c.relname <> all ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [LEFT_OUT],
  );
  const links = await client.query<{ child: string; parent: string }>(
    `select child.relname as child, parent.relname as parent from pg_constraint k
     join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and child.oid <> parent.oid`,
  );
  return inOrder(rows, links.rows);
}

function inOrder(tables: TableShape[], links: readonly { child: string; parent: string }[]): TableShape[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: TableShape[] = [];
  while (left.size > 0) {
    const free = [...left.keys()].filter((name) => !links.some((l) => l.child === name && left.has(l.parent)));
    if (free.length === 0) throw new Error('Tables refer to each other in a circle');
    for (const name of free) {
      ordered.push(left.get(name)!);
      left.delete(name);
    }
  }
  return ordered;
}
