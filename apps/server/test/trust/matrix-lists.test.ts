import { io } from 'socket.io-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordingServer } from '../recordings.ts';
import { type Subject, subjectNames } from '../server.ts';
import {
  type Annotation,
  admins,
  type Case,
  type Cell,
  cells,
  type Document,
  itemMaker,
  type Mission,
  mayManage,
  mayRead,
  type Platform,
  tagOf,
} from './matrix-items.ts';

const server = await recordingServer();
const { asUser, dependencies, userId } = server;
const adminRoles: readonly Subject[] = [...admins, 'GA'];

const missions: Mission[] = [];
const documents: Document[] = [];
const platforms: Platform[] = [];
const annotations: Annotation[] = [];
const cases: Case[] = [];
const binned: Mission[] = [];
const binnedDocuments: Document[] = [];
const binnedCases: Case[] = [];

beforeAll(async () => {
  const maker = await itemMaker(server);
  const deleted = { deleted_time: Date.now() * 1000, deleted_by: userId('SA') };
  for (const cell of cells) {
    missions.push(await maker.mission(cell));
    documents.push(await maker.document(cell));
    platforms.push(await maker.platform(cell));
    annotations.push(await maker.annotation(cell));
    binned.push(await maker.mission(cell, deleted));
    cases.push(await maker.case(cell));
    binnedCases.push(await maker.case(cell, deleted));
    binnedDocuments.push(await maker.document(cell, deleted));
  }
});

const readable = (who: Subject, items: readonly (Cell & { id: string })[]) =>
  items
    .filter((item) => mayRead(who, item))
    .map(({ id }) => id)
    .sort();
const idsOf = (rows: { _id: string }[]) => rows.map(({ _id }) => _id).sort();
const read = async <T>(who: Subject, url: string) => (await asUser(who).inject({ method: 'GET', url })).json<T>();
type Rows = { _id: string }[];

describe('what is computed over many', () => {
  it.each(subjectNames)('%s: lists, counts, pages and tags hold what may be read and nothing else', async (who) => {
    for (const [path, items] of [
      ['/api/missions/brief', missions],
      ['/api/documents', documents],
      ['/api/annotations', annotations],
    ] as const) {
      const all = await asUser(who).inject({ method: 'GET', url: `${path}?limit=500&count=1` });
      expect(idsOf(all.json())).toEqual(readable(who, items));
      expect(Number(all.headers['x-total-count'])).toBe(readable(who, items).length);
      for (const item of items) {
        const url = `${path}?tags=${tagOf(item)}&limit=5&count=1`;
        const found = await asUser(who).inject({ method: 'GET', url });
        const expected = mayRead(who, item) ? [item.id] : [];
        expect(idsOf(found.json()), `${path} ${tagOf(item)}`).toEqual(expected);
        expect(Number(found.headers['x-total-count'])).toBe(expected.length);
      }
    }
    const tags = await read<string[]>(who, '/api/tags');
    const own = missions.filter((item) => mayRead(who, item)).map(tagOf);
    expect(tags.filter((tag) => tag.startsWith('tag-')).sort()).toEqual(own.sort());
  });

  it.each(subjectNames)('%s: cases are listed and counted to those who may read them', async (who) => {
    const all = await asUser(who).inject({ method: 'GET', url: '/api/cases?limit=500&count=1' });
    expect(idsOf(all.json())).toEqual(readable(who, cases));
    expect(Number(all.headers['x-total-count'])).toBe(readable(who, cases).length);
  });

  it.each(subjectNames)('%s: annotations in a box are those that may be read', async (who) => {
    for (const query of ['bbox=24,37,25,38', 'bbox=24,37,25,38&rows=1&limit=500']) {
      const rows = await read<Rows>(who, `/api/annotations?${query}`);
      expect(idsOf(rows)).toEqual(readable(who, annotations));
    }
    expect(await read<Rows>(who, '/api/annotations?bbox=0,0,1,1')).toEqual([]);
  });

  it.each(subjectNames)('%s: platforms are listed to those who may read them', async (who) => {
    const rows = await read<{ _id: string; sensors: { _id: string }[] }[]>(who, '/api/platforms');
    expect(idsOf(rows)).toEqual(readable(who, platforms));
    const sensors = platforms.filter((item) => mayRead(who, item)).map(({ sensor }) => sensor);
    expect(rows.flatMap((row) => idsOf(row.sensors)).sort()).toEqual(sensors.sort());
  });

  it.each(adminRoles)('%s: the figures of the admin page count what may be read', async (who) => {
    const { platforms: count } = await read<{ platforms: object }>(who, '/api/dashboard');
    const own = readable(who, platforms).length;
    expect(count).toMatchObject({ total: own, sensors: own });
  });

  it.each(adminRoles)('%s: jobs are listed of missions that may be read and steered', async (who) => {
    const jobs = await read<{ missionId: string | null }[]>(who, '/api/jobs');
    const named = new Set(jobs.map(({ missionId }) => missionId));
    const steered = missions.filter((item) => mayManage(who, item));
    expect(
      missions
        .filter(({ id }) => named.has(id))
        .map(({ id }) => id)
        .sort(),
    ).toEqual(readable(who, steered));
  });

  it.each(admins)('%s: each bin holds what could be read', async (who) => {
    expect(idsOf(await read<Rows>(who, '/api/bin'))).toEqual(readable(who, binned));
    expect(idsOf(await read<Rows>(who, '/api/documents/bin'))).toEqual(readable(who, binnedDocuments));
    expect(idsOf(await read<Rows>(who, '/api/cases/bin'))).toEqual(readable(who, binnedCases));
  });

  it.each(adminRoles)(
    '%s: an export holds the missions asked for, and is refused whole where one is hidden',
    async (who) => {
      const ask = (ids: string[]) =>
        asUser(who).inject({ method: 'POST', url: '/api/missions/exportList', payload: { missions: ids } });
      const own = missions.filter((item) => mayRead(who, item) && mayManage(who, item));
      const list = await ask(own.map(({ id }) => id));
      expect(
        list
          .json<{ name: string }[]>()
          .map(({ name }) => name)
          .sort(),
      ).toEqual(own.map(({ name }) => name).sort());

      const secret = missions.find((item) => !mayRead(who, item));
      if (secret === undefined) return;
      const refused = await ask([own[0]!.id, secret.id]);
      expect(refused.statusCode).toBe(404);
      expect(refused.body).not.toContain(secret.name);
    },
  );

  it('events name items to those who may read them, and to no other account', async () => {
    const address = await server.listen();
    const received = new Map<Subject, Set<string>>();
    const sockets = await Promise.all(
      subjectNames.map(async (who) => {
        const { ticket } = (await asUser(who).inject({ method: 'POST', url: '/api/tickets' })).json<{
          ticket: string;
        }>();
        const options = { transports: ['websocket'], forceNew: true, reconnection: false, auth: { ticket } };
        const socket = io(address, options);
        const ids = new Set<string>();
        received.set(who, ids);
        for (const event of ['missions', 'updateDocuments', 'platforms', 'updateAnnotations', 'cases']) {
          socket.on(event, (payload: { ids: string[] }) => {
            for (const id of payload.ids) ids.add(id);
          });
        }
        await new Promise((resolve) => socket.once('connect', () => resolve(null)));
        return socket;
      }),
    );

    dependencies.events.changed(
      'missions',
      missions.map(({ id }) => id),
    );
    dependencies.events.changed(
      'documents',
      documents.map(({ id }) => id),
    );
    dependencies.events.changed(
      'annotations',
      annotations.map(({ id }) => id),
    );
    dependencies.events.changed(
      'cases',
      cases.map(({ id }) => id),
    );
    dependencies.events.changed(
      'platforms',
      platforms.map(({ id }) => id),
    );

    for (const who of subjectNames) {
      const expected = [missions, documents, platforms, annotations, cases]
        .flatMap((items) => readable(who, items))
        .sort();
      await expect.poll(() => [...received.get(who)!].sort(), { message: who }).toEqual(expected);
    }
    for (const socket of sockets) socket.disconnect();
  });
});
