import { DEMO_GROUP } from '@osprey/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { addAnnotation } from '../../../test/annotations.ts';
import { emptyDatabaseAt, testDatabase, testDatabaseAt } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addMission, addUser } from '../../../test/missions.ts';
import { shownError } from '../http/errors.ts';
import { APP_ROLE, canRewriteAudit, durabilityFaults, prepareAppRole } from './app-role.ts';
import { addressWith, connect } from './connect.ts';
import { migrate, migrateTo } from './migrate.ts';

describe('a fresh database', () => {
  it('holds group Demo and the guest, who has no password', async () => {
    const db = await testDatabase();

    const groups = await db.selectFrom('usergroups').select(['name', 'classification']).execute();
    const users = await db.selectFrom('users').select(['username', 'role', 'password_hash']).execute();

    expect(groups).toEqual([{ name: DEMO_GROUP, classification: 1 }]);
    expect(users).toEqual([{ username: 'guest', role: 'guest', password_hash: null }]);
  });

  it('reads bigint as a number', async () => {
    const db = await testDatabase();

    const { rows } = await sql<{ us: number }>`select 1700000000000000::bigint as us`.execute(db);

    expect(rows).toEqual([{ us: 1_700_000_000_000_000 }]);
  });

  it('T-109 lets no query of a request run longer than 5 s, and asks the client to try again', async () => {
    const { url } = await testDatabaseAt();
    const db = connect({ url });

    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
    const cut = await sql`set local statement_timeout = 1; select pg_sleep(60)`
      .execute(db)
      .catch((error) => shownError(error));
    await db.destroy();

    expect(rows).toEqual([{ statement_timeout: '5s' }]);
    expect(cut).toMatchObject({ code: 'unavailable', status: 503 });
  });

  it('says which settings would lose a committed change', async () => {
    const db = await testDatabase();

    expect(await durabilityFaults(db)).toEqual(expect.arrayContaining(['fsync', 'full_page_writes']));
  });
});

describe('the indexes that searches go through', () => {
  it('hold a new row at once: none has a pending list that each search would read through', async () => {
    const db = await testDatabase();
    const { rows: all } = await sql<{ name: string; isParent: boolean; options: string[] | null }>`
      select pg_class.relname as name, relkind = 'I' as "isParent", reloptions as options
      from pg_class join pg_am on pg_am.oid = pg_class.relam where pg_am.amname = 'gin' order by 1`.execute(db);
    const indexes = all.filter(({ isParent }) => !isParent);
    // Partitions take the options of their parent, which holds no rows.
    const parents = all.filter(({ isParent }) => isParent).map(({ name, options }) => [name, options]);
    expect(parents).toEqual([['ais_blocks_of_ship', ['fastupdate=off']]]);
    await addUser(db, 'Kea');
    await addMission(db, { tags: ['ferry'] });
    await addDocument(db, { tags: ['ferry'] });
    await addAnnotation(db, { tags: ['ferry'] });

    const listed: [string, number][] = [];
    for (const { name } of indexes) {
      const { rows } = await sql<{ pages: number }>`
        select gin_clean_pending_list(${name}::regclass) as pages`.execute(db);
      listed.push([name, rows[0]!.pages]);
    }

    expect(listed).toEqual(
      [
        ...['annotations_by_head', 'annotations_by_tags', 'coverage_minutes_cells', 'documents_by_body'],
        'documents_by_head',
        ...['documents_by_tags', 'missions_by_head', 'missions_by_tags', 'saved_searches_probes', 'users_by_words'],
      ].map((name) => [name, 0]),
    );
  });
});

describe('migrate', () => {
  it('does nothing the second time', async () => {
    const db = await testDatabase();

    await expect(migrate(db)).resolves.toBeUndefined();
  });

  it('has the cells of saved searches found again, since their edges were great circles', async () => {
    const { db } = await emptyDatabaseAt();
    await migrateTo(db, '0065-case-subjects');
    const id = await addUser(db, 'Kea');
    const question = JSON.stringify({ shape: { type: 'Point', coordinates: [1, 2] }, filter: {} });
    await sql`insert into saved_searches (user_id, name, question, created, notify, probes)
      values (${id}, 'Harbour', ${question}, 1, true, '{7,-7}')`.execute(db);

    await migrate(db);

    const rows = await db.selectFrom('saved_searches').select(['name', 'notify', 'probes']).execute();
    expect(rows).toEqual([{ name: 'Harbour', notify: true, probes: null }]);
  });

  it('makes the words of missions that were there before, by which they are then found', async () => {
    const { db } = await emptyDatabaseAt();
    await migrateTo(db, '0066-straight-edges');
    await sql`insert into missions (name, description, classification, marked, audience, rating, tags, platform_name,
        platform_type, platform_color, sort_order, creation_time)
      values ('First', 'Second', 1, true, 'everyone', 0, '{One,Two}', 'Kea', '', '', 0, 1)`.execute(db);

    await migrate(db);

    const rows = await db.selectFrom('missions').select(['name', 'head_text', 'revision', 'epoch']).execute();
    expect(rows).toEqual([{ name: 'First', head_text: 'first\nsecond\nkea\none\ntwo', revision: 1, epoch: 0 }]);
  });

  it('refuses a database that a newer server has made', async () => {
    const db = await testDatabase();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(db);

    await expect(migrate(db)).rejects.toThrow('newer version');
  });
});

describe('a connection that the database cuts', () => {
  it('fails what is being done over it, also between two statements, and nothing else', async () => {
    const { url } = await testDatabaseAt();
    const reported: Error[] = [];
    const own = connect({ url, max: 2, onError: (error) => reported.push(error) });

    const work = own.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(own);
      await vi.waitFor(() => expect(reported).not.toEqual([]));
      await sql`select 1`.execute(tx);
    });

    await expect(work).rejects.toThrow(/connection/i);
    expect((await sql`select 1 as one`.execute(own)).rows).toEqual([{ one: 1 }]);
    await own.destroy();
  });
});

describe('the role of the application', () => {
  it('T-104 writes rows, but can neither change the audit nor make tables', async () => {
    const { db, url } = await testDatabaseAt();
    await prepareAppRole(db, { role: APP_ROLE, password: 'secret' });
    const app = connect({ url: addressWith(url, { user: APP_ROLE, password: 'secret' }), max: 1 });

    await app.insertInto('settings').values({ key: 'guest', value: 'true' }).execute();

    await expect(app.deleteFrom('audit').execute()).rejects.toThrow('permission denied');
    await expect(app.updateTable('audit').set({ result: '' }).execute()).rejects.toThrow('permission denied');
    await expect(app.deleteFrom('audit_checkpoints').execute()).rejects.toThrow('permission denied');
    await expect(sql`truncate audit`.execute(app)).rejects.toThrow('permission denied');
    await expect(sql`create table other (id int)`.execute(app)).rejects.toThrow('permission denied');
    expect(await canRewriteAudit(app)).toBe(false);
    expect(await canRewriteAudit(db)).toBe(true);
    await app.destroy();
  });
});
