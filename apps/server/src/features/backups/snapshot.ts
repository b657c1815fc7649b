import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Tables whose rows are not backed up: those of kysely and of backup runs, and uploads, whose bytes are excluded. */
const EXCLUDED = [
  ...['kysely_migration', 'kysely_migration_lock', 'backup_runs', 'uploads'],
  // Rebuilt from the telemetry.
  ...['coverage_sensors', 'coverage_minutes', 'coverage_seen'],
  // Rebuilt from the positions.
  'ais_minutes',
];

export type TableShape = { name: string; columns: string[] };

export type Snapshot = {
  schemaVersion: string;
  /** Tables in an order in which referenced tables come first. */
  tables: TableShape[];
  /** Returns the rows in COPY format. `rows` returns their number once the stream has ended. */
  copy: (table: TableShape) => { stream: Readable; rows: () => number };
  close: () => Promise<void>;
};

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const columnList = ({ columns }: TableShape): string => columns.map(quoted).join(', ');

/** Opens a database snapshot that includes all tables, however long it takes to read them. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  // A broken connection fails the query in progress; without an error listener it would also end the process.
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
        // Readers receive the error themselves. The listener is for a stream that is never read, for example because
        // the disk is full, so that it does not crash the process.
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

/**
 * Lists tables and their columns. Generated columns are excluded, since COPY cannot write them. Partitions are excluded
 * too, since they contain data that is kept only for some days.
 */
export async function tablesOf(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition and c.relname <> all ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [EXCLUDED],
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
