import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { emptyDatabaseAt, testDatabaseAt } from '../../../test/database.ts';
import { migrate, migrateTo } from './migrate.ts';
import { RIGHTS_CHANNEL } from './notices.ts';

const id = (digits: string) => `00000000-0000-4000-8000-${digits.padStart(12, '0')}`;
const [mission, other, recorded] = [id('a1'), id('a2'), id('a3')];
const [document, platform, source] = [id('b1'), id('c1'), id('c2')];
const [sensor, file] = [id('d1'), id('d2')];
const [kites, owls, larks] = [id('e1'), id('e2'), id('e3')];

const missionRow = (missionId: string, platformId: string | null = null) => `
  insert into missions (id, name, description, classification, marked, audience, rating, tags, platform_name,
    platform_type, platform_color, sort_order, creation_time, platform_id)
  values ('${missionId}', 'flight', '', 1, true, 'everyone', 0, '{}', '', '', '', 0, 0,
    ${platformId && `'${platformId}'`})`;

const rows = [
  `insert into usergroups (id, name, classification, created)
   values ('${kites}', 'Kites', 5, 0), ('${owls}', 'Owls', 5, 0), ('${larks}', 'Larks', 5, 0)`,
  missionRow(mission),
  missionRow(other),
  `insert into sensors (id, mission_id, name, description, type, position, creation_time)
   values ('${sensor}', '${mission}', 'EO', '', 'video', 0, 0)`,
  `insert into documents (id, title, description, document_type, platform_name, classification, marked, audience,
     edit_lock, tags, author, creation_time, file_name, content, size_bytes, sha256, storage_key)
   values ('${document}', 'Plan', '', 'Note', '', 1, true, 'everyone', false, '{}', '', 0, 'a.txt', 'text', 1, '', 'k')`,
  `insert into platforms (id, name, description, type, color, classification, marked, audience, priority, autostart,
     record, created, updated)
   values ('${platform}', 'KEA-1', '', 'uav', '', 1, true, 'everyone', 5, false, '{}', 0, 0)`,
];

const was = { label: 1, audience: 'everyone', draft: false, deleted: false };
const ofMission = (change: string) => `update missions set ${change} where id = '${mission}'`;
const ofDocument = (change: string) => `update documents set ${change} where id = '${document}'`;
const ofPlatform = [{ platform }];
const ofSensor = [{ sensor }];

/** Changes in this order, each in a transaction of its own, and all notices of it. */
const changes: [title: string, statement: string, notices: object[]][] = [
  [
    'a mission that is no draft any more',
    ofMission(`state = 'Ready'`),
    [{ mission, epoch: 1, was: { ...was, draft: true } }],
  ],
  ['a label raised', ofMission('classification = 3'), [{ mission, epoch: 2, was }]],
  ['an audience narrowed', ofMission(`audience = 'groups'`), [{ mission, epoch: 3, was: { ...was, label: 3 } }]],
  [
    'a mission put into the bin',
    ofMission('deleted_time = 5'),
    [{ mission, epoch: 4, was: { ...was, label: 3, audience: 'groups' } }],
  ],
  ['another moment of deletion', ofMission('deleted_time = 6'), []],
  [
    'a mission taken from the bin, with another label and name',
    ofMission(`deleted_time = null, classification = 2, name = 'patrol'`),
    [{ mission }, { mission, epoch: 5, was: { label: 3, audience: 'groups', draft: false, deleted: true } }],
  ],
  ['the same rights written again', ofMission(`classification = 2, audience = 'groups', state = 'Ready'`), []],
  ['a change of no right', ofMission(`views = views + 1, state = 'Failed'`), []],
  ['an epoch raised by itself', ofMission('epoch = epoch + 1'), [{ mission, epoch: 6 }]],
  ['a name changed', ofMission(`name = 'survey'`), [{ mission }]],
  [
    'a usergroup gained',
    `insert into mission_usergroups values ('${mission}', '${kites}')`,
    [{ mission, gained: kites }],
  ],
  [
    'a usergroup exchanged',
    `update mission_usergroups set usergroup_id = '${owls}'`,
    [
      { mission, gained: owls },
      { mission, lost: kites },
      { mission, epoch: 7 },
    ],
  ],
  [
    'a link moved to another mission',
    `update mission_usergroups set mission_id = '${other}'`,
    [
      { mission: other, gained: owls },
      { mission, lost: owls },
      { mission, epoch: 8 },
      { mission: other, epoch: 1 },
    ],
  ],
  [
    'a usergroup lost',
    `delete from mission_usergroups where mission_id = '${other}'`,
    [
      { mission: other, lost: owls },
      { mission: other, epoch: 2 },
    ],
  ],
  [
    'two missions changed by one statement',
    'update missions set classification = classification + 1',
    [
      { mission, epoch: 9, was: { label: 2, audience: 'groups', draft: false, deleted: false } },
      { mission: other, epoch: 3, was: { ...was, draft: true } },
    ],
  ],
  [
    'missions and documents gained',
    `with link as (insert into mission_usergroups values ('${mission}', '${larks}'))
     insert into document_usergroups values ('${document}', '${larks}')`,
    [
      { mission, gained: larks },
      { document, gained: larks },
    ],
  ],
  [
    'a usergroup deleted',
    `delete from usergroups where id = '${larks}'`,
    [
      { mission, lost: larks },
      { mission, epoch: 10 },
      { document, lost: larks },
      { document, epoch: 1 },
    ],
  ],
  ['a mission made', missionRow(id('a4')), []],
  ['a mission made by a recording', missionRow(recorded, platform), [{ mission: recorded }]],

  ['a document of a higher label', ofDocument('classification = 2'), [{ document, epoch: 2, was }]],
  ['a document for usergroups', ofDocument(`audience = 'groups'`), [{ document, epoch: 3, was: { ...was, label: 2 } }]],
  [
    'a document put into the bin',
    ofDocument('deleted_time = 5'),
    [{ document, epoch: 4, was: { ...was, label: 2, audience: 'groups' } }],
  ],
  ['a state of documents, which have no drafts', ofDocument(`state = 'Created', title = 'Report'`), []],
  ['an epoch of a document raised', ofDocument('epoch = epoch + 1'), [{ document, epoch: 5 }]],
  [
    'a group of a document',
    `insert into document_usergroups values ('${document}', '${owls}')`,
    [{ document, gained: owls }],
  ],
  [
    'a group of a document lost',
    `delete from document_usergroups`,
    [
      { document, lost: owls },
      { document, epoch: 6 },
    ],
  ],

  ['a platform changed', `update platforms set description = 'x'`, ofPlatform],
  ['a platform of a higher label', `update platforms set classification = 2, deleted_time = 5`, ofPlatform],
  ['a group of a platform', `insert into platform_usergroups values ('${platform}', '${kites}')`, ofPlatform],
  ['another group of a platform', `update platform_usergroups set usergroup_id = '${owls}'`, ofPlatform],
  ['a group of a platform lost', `delete from platform_usergroups`, ofPlatform],
  [
    'a source of a platform',
    `insert into platform_sensors (id, platform_id, name, description, type, url, senders, position)
     values ('${source}', '${platform}', 'EO', '', 'video', 'udp://127.0.0.1:5000', '{}', 0)`,
    ofPlatform,
  ],
  ['a source changed', `update platform_sensors set url = 'udp://127.0.0.1:5001'`, ofPlatform],
  ['a source removed', `delete from platform_sensors`, ofPlatform],
  ['a platform removed', `delete from platforms`, ofPlatform],
  [
    'a platform made',
    `insert into platforms (id, name, description, type, color, classification, marked, audience, priority, autostart,
       record, created, updated)
     values ('${platform}', 'KEA-2', '', 'uav', '', 1, true, 'everyone', 5, false, '{}', 0, 0)`,
    ofPlatform,
  ],

  ['bytes of a sensor in another place', `update sensors set index_key = 'index'`, ofSensor],
  ['times of a sensor shifted', 'update sensors set time_shift = 1000000', ofSensor],
  ['a description of a sensor', `update sensors set description = 'x'`, []],
  [
    'a file of a sensor',
    `insert into files (id, sensor_id, kind, name, size_bytes, storage_key, created)
     values ('${file}', '${sensor}', 'ts', 'a.ts', 188, 'a', 0)`,
    ofSensor,
  ],
  ['a file of another size', 'update files set size_bytes = 376', ofSensor],
  ['a file removed', 'delete from files', ofSensor],

  ['a document deleted', `delete from documents`, [{ document }]],
  [
    'a mission deleted with its sensor and its link',
    `with link as (insert into mission_usergroups values ('${other}', '${kites}') returning mission_id)
     select from link`,
    [{ mission: other, gained: kites }],
  ],
  [
    'missions deleted with sensors and links',
    `delete from missions where id in ('${mission}', '${other}')`,
    [{ mission }, { mission: other }, { sensor }, { mission: other, lost: kites }],
  ],
];

/** A session hears its own notices before the statement that sent them is answered. */
async function listening(url: string) {
  const client = new pg.Client(url);
  let received: { tx?: string }[] = [];
  client.on('notification', ({ payload }) => void received.push(JSON.parse(payload!)));
  await client.connect();
  atEnd(() => client.end());
  await client.query(`listen ${RIGHTS_CHANNEL}`);
  return {
    client,
    /** Notices of this statement, without their transaction, which is one. */
    async noticesOf(statement: string): Promise<object[]> {
      received = [];
      await client.query(statement);
      expect(new Set(received.flatMap(({ tx }) => tx ?? [])).size).toBeLessThan(2);
      return received.map(({ tx: _tx, ...notice }) => notice);
    },
  };
}

/** In no order: all notices of a transaction arrive together. */
const sorted = (notices: readonly object[]) => notices.map((notice) => JSON.stringify(notice)).sort();

/** A database of the version before these triggers, with rows. */
async function oldDatabase() {
  const { db, url } = await emptyDatabaseAt();
  await migrateTo(db, '0021-remarks-on-files');
  const session = await listening(url);
  for (const row of rows) await session.client.query(row);
  return { db, ...session };
}

async function noticesOfAll({ noticesOf }: Awaited<ReturnType<typeof oldDatabase>>) {
  const all: [string, string[]][] = [];
  for (const [title, statement] of changes) all.push([title, sorted(await noticesOf(statement))]);
  return all;
}

const expected = changes.map(([title, , notices]) => [title, sorted(notices)]);
/** Notices of platforms since they name what their rights were. */
const ofPlatforms = new Map(
  Object.entries({
    'a platform of a higher label': [{ platform }, { platform, epoch: 1, was }],
    'a group of a platform': [{ platform, gained: kites }],
    'another group of a platform': [
      { platform },
      { platform, gained: owls },
      { platform, lost: kites },
      { platform, epoch: 2 },
    ],
    'a group of a platform lost': [{ platform }, { platform, lost: owls }, { platform, epoch: 3 }],
  }).map(([title, notices]) => [title, sorted(notices)]),
);

describe('the notices of changed rights', () => {
  it('of the version before the item triggers are these', async () => {
    expect(await noticesOfAll(await oldDatabase())).toEqual(expected);
  });

  it('are the same after its migration, which keeps all rows, and say more of platforms', async () => {
    const old = await oldDatabase();
    const items = async () =>
      (
        await old.client.query(`select to_jsonb(m) as row from missions m union all select to_jsonb(d) from documents d
          union all select to_jsonb(p) from platforms p`)
      ).rows;
    const retained = await items();

    await migrate(old.db);

    expect((await items()).map(({ row }) => row)).toEqual(retained.map(({ row }) => expect.objectContaining(row)));
    const later = expected.map(([title, notices]) => [title, ofPlatforms.get(title as string) ?? notices]);
    expect(await noticesOfAll(old)).toEqual(later);
  });

  it('name both usergroups where a document exchanges one for the other', async () => {
    const { client, noticesOf } = await listening((await testDatabaseAt()).url);
    for (const statement of rows) await client.query(statement);
    await client.query(`insert into document_usergroups values ('${document}', '${kites}')`);

    const notices = await noticesOf(`update document_usergroups set usergroup_id = '${owls}'`);

    expect(sorted(notices)).toEqual(
      sorted([
        { document, gained: owls },
        { document, lost: kites },
        { document, epoch: 1 },
      ]),
    );
  });

  it('name each of several usergroups that a mission loses at once', async () => {
    const { client, noticesOf } = await listening((await testDatabaseAt()).url);
    for (const statement of rows) await client.query(statement);
    await client.query(`insert into mission_usergroups values ('${mission}', '${kites}'), ('${mission}', '${owls}')`);

    const notices = await noticesOf('delete from mission_usergroups');

    expect(sorted(notices)).toEqual(
      sorted([
        { mission, lost: kites },
        { mission, lost: owls },
        { mission, epoch: 1 },
      ]),
    );
  });

  it('come of a new item whose two tables have one trigger each', async () => {
    const { noticesOf, client } = await listening((await testDatabaseAt()).url);
    const place = id('f1');
    await client.query(`
      create table places (id uuid primary key, classification smallint not null, audience text not null,
        deleted_time bigint, epoch integer not null default 0);
      create table place_usergroups (place_id uuid references places on delete cascade, usergroup_id uuid);
      create trigger item_rights_changed before update or delete on places
        for each row execute function item_rights_changed('place');
      create trigger item_rights_changed after insert or update or delete on place_usergroups
        for each row execute function item_rights_changed('place', 'places');
      insert into places values ('${place}', 1, 'everyone')`);

    const raised = await noticesOf('update places set classification = 2');
    const gained = await noticesOf(`insert into place_usergroups values ('${place}', '${kites}')`);
    const lost = await noticesOf('delete from place_usergroups');
    const gone = await noticesOf('delete from places');

    expect(raised).toEqual([{ place, epoch: 1, was }]);
    expect(gained).toEqual([{ place, gained: kites }]);
    expect(lost).toEqual([
      { place, lost: kites },
      { place, epoch: 2 },
    ]);
    expect(gone).toEqual([{ place }]);
  });
});
