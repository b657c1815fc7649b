import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { gunzipped } from './gzip.ts';
import { BackupDamaged } from './seal.ts';
import { columnList, quoted, type TableShape, tablesOf } from './snapshot.ts';
import { type Manifest, readSealed, type Sealed } from './target.ts';

export type Loading = {
  /** Connection as the owner of the database. The schema exists in the backup's version and is empty. */
  url: string;
  sealed: Sealed;
  manifest: Manifest;
  /** Rank given to items that have no label in the backup: the highest of the installation. */
  systemHigh: number;
  /** Leaves out the sessions of browsers: some may have been ended since the backup was made. */
  withoutSessions?: boolean;
};

/**
 * Copies the rows of a backup into a database of the same version, all or nothing. Triggers are off meanwhile: they
 * would report the copied rows as changes.
 *
 * @throws BackupDamaged when a table does not have as many rows as were written
 */
export async function loadDatabase({ url, sealed, manifest, systemHigh, withoutSessions }: Loading): Promise<void> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    const existing = new Map((await tablesOf(client)).map((table) => [table.name, table]));
    const names = [...existing.keys()].map(quoted).join(', ');
    await client.query(`truncate ${names} cascade`);
    for (const table of manifest.tables) {
      const shape = existing.get(table.name);
      if (shape === undefined)
        throw new BackupDamaged(`The backup has a table ${table.name} that its version has not.`);
      await fill(client, sealed, table, unmarkedDefaults(shape, table, systemHigh));
    }
    await setSequences(client);
    // Deleted in the same transaction, so that a restore killed at this point does not bring back a session that was
    // ended.
    if (withoutSessions && existing.get('credentials')?.columns.includes('cookie_hash')) {
      await client.query('delete from credentials where cookie_hash is not null');
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

type Filling = TableShape & { rows: number };

async function fill(client: pg.Client, sealed: Sealed, table: Filling, defaults: Record<string, string>) {
  const name = quoted(table.name);
  await client.query(`alter table ${name} disable trigger user`);
  for (const [column, value] of Object.entries(defaults)) {
    await client.query(`alter table ${name} alter column ${quoted(column)} set default ${value}`);
  }
  const copy = client.query(copyFrom(`copy ${name} (${columnList(table)}) from stdin`));
  await pipeline(gunzipped(readSealed(sealed, `tables/${table.name}.enc`)), copy);
  if (copy.rowCount !== table.rows) {
    throw new BackupDamaged(`Table ${table.name} has ${copy.rowCount} rows in place of ${table.rows}.`);
  }
  for (const column of Object.keys(defaults)) {
    await client.query(`alter table ${name} alter column ${quoted(column)} drop default`);
  }
  await client.query(`alter table ${name} enable trigger user`);
}

/**
 * Returns the values for items of a backup without labels. They count as unmarked: they get the highest label, and an
 * audience of no group, so that only accounts that can correct this see them.
 */
function unmarkedDefaults(shape: TableShape, { columns }: TableShape, systemHigh: number): Record<string, string> {
  if (!shape.columns.includes('marked')) return {};
  const requested = { classification: String(systemHigh), marked: 'false', audience: `'groups'` };
  return Object.fromEntries(
    Object.entries(requested).filter(([column]) => shape.columns.includes(column) && !columns.includes(column)),
  );
}

/** Continues each sequence after the highest number of its column. */
async function setSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; tab: string; col: string }>(
    `select s.oid::regclass::text as sequence, t.oid::regclass::text as tab, quote_ident(a.attname) as col
     from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and t.relnamespace = 'public'::regnamespace`,
  );
  for (const { sequence, tab, col } of rows) {
    await client.query(
      `select setval('${sequence.replaceAll("'", "''")}', coalesce(max(${col}), 1), max(${col}) is not null) from ${tab}`,
    );
  }
}
