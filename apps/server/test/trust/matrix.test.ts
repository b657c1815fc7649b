import { io } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { addDocument } from '../documents.ts';
import { addFile, addMission, addSensor } from '../missions.ts';
import { type Subject, subjectNames, testServer } from '../server.ts';

/** The read decision of the rights document, written down a second time: `can()` and its SQL are what is tested. */
type Item = { id: string; label: number; relation: Relation };
const relations = ['everyone', 'nobody', 'Demo', 'G1', 'G2', 'G1 and G2'] as const;
type Relation = (typeof relations)[number];
const labels = [1, 2, 3, 4, 5] as const;

const server = await testServer();
const { db, groups, asUser, parts } = server;

const clearance: Record<Subject, number> = { SA: 5, A2: 2, GA: 3, U1: 3, U2: 5, U0: 1, guest: 1 };
const memberOf: Record<Subject, readonly (keyof typeof groups)[]> = {
  SA: ['Demo'],
  A2: ['Demo', 'G1'],
  GA: ['Demo', 'G1'],
  U1: ['Demo', 'G1'],
  U2: ['Demo', 'G2'],
  U0: ['Demo'],
  guest: ['Demo'],
};
const ceiling = { Demo: 1, G1: 3, G2: 5 } as const;
const groupsOf = (relation: Relation): (keyof typeof groups)[] =>
  relation === 'everyone' || relation === 'nobody' ? [] : (relation.split(' and ') as (keyof typeof groups)[]);

function mayRead(who: Subject, { label, relation }: Item): boolean {
  if (clearance[who] < label) return false;
  if (who === 'SA') return true;
  if (relation === 'everyone') return who !== 'guest';
  return groupsOf(relation).some((group) => memberOf[who].includes(group) && ceiling[group] >= label);
}

/** Only items wholly inside the groups that one administers. */
const isOwn = ({ relation }: Item): boolean => relation === 'G1';
const admins: readonly Subject[] = ['SA', 'A2'];
const accounts: readonly Subject[] = subjectNames.filter((name) => name !== 'guest');
const mayManage = (who: Subject, item: Item): boolean => admins.includes(who) || (who === 'GA' && isOwn(item));

type Mission = Item & { name: string; sensor: string; file: string };
const missions: Mission[] = [];
const documents: Item[] = [];

for (const label of labels) {
  for (const relation of relations) {
    const fields = {
      classification: label,
      audience: relation === 'everyone' ? ('everyone' as const) : ('groups' as const),
      tags: [`tag-${label}-${relation.replaceAll(' ', '-')}`],
    };
    const name = `flight-${label}-${relation.replaceAll(' ', '-')}`;
    const id = await addMission(db, { ...fields, name, state: 'Ready' });
    const links = groupsOf(relation).map((group) => groups[group]);
    if (links.length > 0) {
      await db
        .insertInto('mission_usergroups')
        .values(links.map((usergroup_id) => ({ mission_id: id, usergroup_id })))
        .execute();
    }
    const sensor = await addSensor(db, id, { state: 'Ready' });
    const key = `originals/${sensor}/a.ts`;
    await parts.storage.put(key, [new Uint8Array(188)]);
    await parts.storage.put(`pictures/${id}/${sensor}.jpg`, [Buffer.from('picture')]);
    const file = await addFile(db, sensor, { storage_key: key });
    missions.push({ id, name, label, relation, sensor, file });

    const document = await addDocument(db, { ...fields, thumbnail: true }, links);
    await parts.storage.put(`documents/${document}/original`, [Buffer.from('hello')]);
    await parts.storage.put(`documents/${document}/thumbnail.webp`, [Buffer.from('picture')]);
    documents.push({ id: document, label, relation });
  }
}

type Asked = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; url: string; payload?: object };
const get = (url: string): Asked => ({ method: 'GET', url });

/** Calls that only read: whoever may read gets what a cleared superAdmin gets, everybody else 404. */
const missionReads: Record<string, (item: Mission) => Asked> = {
  getMission: ({ id }) => get(`/api/missions/${id}`),
  'getMission by name': ({ name }) => get(`/api/missions/${encodeURIComponent(name)}`),
  getMissionArea: ({ id }) => get(`/api/missions/area/${id}`),
  listSensors: ({ id }) => get(`/api/sensors?missionIdOrName=${id}`),
  'listSensors by name': ({ name }) => get(`/api/sensors?missionIdOrName=${encodeURIComponent(name)}&clips=1`),
  getSensorPictures: ({ id, sensor }) => get(`/api/sensors/pictures/${id}/${sensor}`),
  getFrameCenterPoints: ({ id, sensor }) => get(`/api/sensors/framecenterpoints/${id}/${sensor}`),
  getSensorPath: ({ id, sensor }) => get(`/api/sensors/path/${id}/${sensor}`),
  playSensor: ({ sensor }) => ({ method: 'POST', url: `/api/sensors/${sensor}/view` }),
  getMediaFile: ({ sensor, file }) => get(`/api/media/${sensor}/${file}.ts`),
  getThumbnail: ({ id, sensor }) => get(`/api/videos/${id}/${sensor}.jpg`),
};
const documentReads: Record<string, (item: Item) => Asked> = {
  getDocument: ({ id }) => get(`/api/documents/${id}`),
  getDocumentText: ({ id }) => get(`/api/documents/${id}/text`),
  getDocumentThumbnail: ({ id }) => get(`/api/documents/thumbnails/${id}.webp`),
};

/** Calls that change or take away; asked with what changes nothing. `by`: who may, of those who may read. */
const missionChanges: Record<string, { ask: (item: Mission) => Asked; by: (who: Subject, item: Item) => boolean }> = {
  updateMission: {
    ask: ({ id, name }) => ({ method: 'PUT', url: '/api/missions', payload: { _id: id, name, description: '' } }),
    by: mayManage,
  },
  shiftSensor: {
    ask: ({ sensor }) => ({ method: 'POST', url: `/api/sensors/${sensor}/shift`, payload: { shift: 0 } }),
    by: mayManage,
  },
  exportMissions: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/missions/export', payload: { missions: [id] } }),
    by: mayManage,
  },
  exportMissionList: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/missions/exportList', payload: { missions: [id] } }),
    by: mayManage,
  },
  holdMission: {
    ask: ({ id }) => ({ method: 'DELETE', url: `/api/missions/${id}/hold` }),
    by: (who) => admins.includes(who),
  },
};
const documentChanges: Record<string, { ask: (item: Item) => Asked; by: (who: Subject, item: Item) => boolean }> = {
  updateDocument: {
    ask: ({ id }) => ({ method: 'PUT', url: `/api/documents/${id}`, payload: { description: '' } }),
    by: (who) => accounts.includes(who),
  },
  createDocumentToken: {
    ask: ({ id }) => ({ method: 'POST', url: `/api/documents/${id}/token` }),
    by: (who) => accounts.includes(who),
  },
};

const hidden = { code: 'notFound', status: 404, text: 'Not found, or not visible to you.', values: {} };
let cases = 0;

async function ask(who: Subject, asked: Asked) {
  cases += 1;
  const answer = await asUser(who).inject(asked);
  return { status: answer.statusCode, body: answer.statusCode >= 400 ? (answer.json() as object) : null };
}

describe('the decision, for each subject, label and audience', () => {
  const reads: [string, (who: Subject) => Promise<string[]>][] = [
    ...Object.entries(missionReads).map(([name, make]): (typeof reads)[number] => [
      name,
      (who) => wrongReads(who, missions, make),
    ]),
    ...Object.entries(documentReads).map(([name, make]): (typeof reads)[number] => [
      name,
      (who) => wrongReads(who, documents, make),
    ]),
  ];
  it.each(reads)('%s is read by those who may, and by nobody else', async (_name, wrong) => {
    for (const who of subjectNames) expect(await wrong(who), who).toEqual([]);
  });

  async function wrongReads<One extends Item>(who: Subject, items: readonly One[], make: (item: One) => Asked) {
    const wrong: string[] = [];
    for (const item of items) {
      const asked = make(item);
      const { status, body } = await ask(who, asked);
      const isRight = mayRead(who, item)
        ? status === 200 || status === 206
        : status === 404 && JSON.stringify(body) === JSON.stringify(hidden);
      if (!isRight) wrong.push(`${status} ${asked.url} label ${item.label}, ${item.relation}`);
    }
    return wrong;
  }

  const changes: [string, (who: Subject) => Promise<string[]>][] = [
    ...Object.entries(missionChanges).map(([name, rule]): (typeof changes)[number] => [
      name,
      (who) => wrongChanges(who, missions, rule),
    ]),
    ...Object.entries(documentChanges).map(([name, rule]): (typeof changes)[number] => [
      name,
      (who) => wrongChanges(who, documents, rule),
    ]),
  ];
  it.each(changes)('%s is done for those who may, refused to readers, hidden from the rest', async (_name, wrong) => {
    for (const who of subjectNames) expect(await wrong(who), who).toEqual([]);
  });

  async function wrongChanges<One extends Item>(
    who: Subject,
    items: readonly One[],
    rule: { ask: (item: One) => Asked; by: (who: Subject, item: Item) => boolean },
  ) {
    const wrong: string[] = [];
    for (const item of items) {
      const asked = rule.ask(item);
      const { status, body } = await ask(who, asked);
      const readable = mayRead(who, item);
      const wanted = !readable ? 404 : rule.by(who, item) ? 200 : 403;
      const same = readable || JSON.stringify(body) === JSON.stringify(hidden);
      if (status !== wanted || !same)
        wrong.push(`${status} for ${wanted} ${asked.url} label ${item.label}, ${item.relation}`);
    }
    return wrong;
  }
});

describe('what is computed over many', () => {
  const readable = (who: Subject, items: readonly Item[]) =>
    items.filter((item) => mayRead(who, item)).map(({ id }) => id);
  const idsOf = (rows: { _id: string }[]) => rows.map(({ _id }) => _id).sort();

  it.each(subjectNames)('%s: lists, counts, pages and tags hold what may be read and nothing else', async (who) => {
    for (const [path, items] of [
      ['/api/missions/brief', missions],
      ['/api/documents', documents],
    ] as const) {
      const all = await asUser(who).inject({ method: 'GET', url: `${path}?limit=500&count=1` });
      expect(idsOf(all.json())).toEqual(readable(who, items).sort());
      expect(Number(all.headers['x-total-count'])).toBe(readable(who, items).length);
      for (const { id, label, relation } of items) {
        const tag = `tag-${label}-${relation.replaceAll(' ', '-')}`;
        const found = await asUser(who).inject({ method: 'GET', url: `${path}?tags=${tag}&limit=5&count=1` });
        cases += 1;
        const wanted = readable(who, items).includes(id) ? [id] : [];
        expect(idsOf(found.json()), `${path} ${tag}`).toEqual(wanted);
        expect(Number(found.headers['x-total-count'])).toBe(wanted.length);
      }
    }
    const tags = (await asUser(who).inject({ method: 'GET', url: '/api/tags' })).json<string[]>();
    const wanted = missions
      .filter((item) => mayRead(who, item))
      .map(({ label, relation }) => `tag-${label}-${relation}`);
    expect(tags.filter((tag) => tag.startsWith('tag-')).length).toBe(new Set(wanted).size);
  });

  it('events name items to those who may read them, and to nobody else', async () => {
    const address = await server.listen();
    const heard = new Map<Subject, Set<string>>();
    const sockets = await Promise.all(
      subjectNames.map(async (who) => {
        const { ticket } = (await asUser(who).inject({ method: 'POST', url: '/api/tickets' })).json<{
          ticket: string;
        }>();
        const socket = io(address, {
          transports: ['websocket'],
          forceNew: true,
          reconnection: false,
          auth: { ticket },
        });
        const ids = new Set<string>();
        heard.set(who, ids);
        for (const event of ['missions', 'updateDocuments']) {
          socket.on(event, (payload: { ids: string[] }) => {
            for (const id of payload.ids) ids.add(id);
          });
        }
        await new Promise((resolve) => socket.once('connect', () => resolve(null)));
        return socket;
      }),
    );

    parts.events.changed(
      'missions',
      missions.map(({ id }) => id),
    );
    parts.events.changed(
      'documents',
      documents.map(({ id }) => id),
    );

    for (const who of subjectNames) {
      cases += missions.length + documents.length;
      const wanted = [...readable(who, missions), ...readable(who, documents)].sort();
      await expect.poll(() => [...heard.get(who)!].sort(), { message: who }).toEqual(wanted);
    }
    for (const socket of sockets) socket.disconnect();
  });

  it('made more than 5,000 cases', () => {
    expect(cases).toBeGreaterThan(5000);
  });
});
