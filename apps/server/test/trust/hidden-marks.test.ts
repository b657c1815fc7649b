import { beforeAll, expect, it } from 'vitest';
import { addAnnotation } from '../annotations.ts';
import { addCase, addNote } from '../cases.ts';
import { addDocument } from '../documents.ts';
import { addMission, addSensor } from '../missions.ts';
import { askAs } from '../recordings.ts';
import { type Subject, testServer } from '../server.ts';

const server = await testServer();
const { db, groups } = server;
const ask = (who: Subject) => askAs(server, who);

/** Less than half of this is noise of a machine that runs other tests in parallel. */
const slack = process.env.OSPREY_FIGURES ? 1 : 3;
const TIMED_PAIRS = Number(process.env.OSPREY_TIMED_PAIRS ?? 50);
const WARM_UP = 10;

const hidden: Record<string, string> = {};

beforeAll(async () => {
  // Above the clearance of A2.
  const mission_id = await addMission(db, { classification: 3, audience: 'groups', state: 'Ready' });
  await db.insertInto('mission_usergroups').values({ mission_id, usergroup_id: groups.G1 }).execute();
  const sensor_id = await addSensor(db, mission_id);
  const by = { author: 'a', editor: 'a', author_id: null, created: 0, tags: [] };
  const frame = { file_id: null, run: null, pts: null };
  const bookmark = { ...frame, last_time: 0, thumbnail: null, title: 'b', text: '', color: '#ffffff' };
  const marked = await db
    .insertInto('bookmarks')
    .values({ mission_id, sensor_id, ...bookmark, ...by })
    .returning('id')
    .executeTakeFirstOrThrow();
  const clip = await db
    .insertInto('clips')
    .values({ mission_id, title: 'c', note: '', ...by })
    .returning('id')
    .executeTakeFirstOrThrow();
  const document_id = await addDocument(db, { classification: 3 }, [groups.G1]);
  const taken = { sensor_id: null, sensor_name: 'EO', ...frame, telemetry: null, taken_time: 1 };
  await db
    .insertInto('snapshots')
    .values({ document_id, mission_id, ...taken, picture: 'browser' })
    .execute();
  const caseId = await addCase(db, { classification: 3, audience: 'groups' }, [groups.G1]);
  await addNote(db, caseId);
  const annotation = await addAnnotation(db, { classification: 3, audience: 'groups' }, [groups.G1]);
  Object.assign(hidden, { case: caseId, annotation });
  Object.assign(hidden, { mission: mission_id, bookmark: marked.id, clip: clip.id, snapshot: document_id });
});

const calls: Record<string, { of: string; ask: (id: string) => Promise<{ status: number; raw: Buffer }> }> = {
  'bookmark to be changed': {
    of: 'bookmark',
    ask: (id) => ask('A2').put(`/api/bookmarks/${id}`, { title: 'mine', revision: 1 }),
  },
  'clip to be exported': { of: 'clip', ask: (id) => ask('A2').get(`/api/clips/${id}/export`) },
  'clip to be changed': { of: 'clip', ask: (id) => ask('A2').put(`/api/clips/${id}`, { note: '', revision: 1 }) },
  annotation: { of: 'annotation', ask: (id) => ask('A2').get(`/api/annotations?id=${id}`) },
  'annotation to be changed': {
    of: 'annotation',
    ask: (id) => ask('A2').put(`/api/annotations/${id}`, { title: 'mine', revision: 1 }),
  },
  case: { of: 'case', ask: (id) => ask('A2').get(`/api/cases/${id}`) },
  'case for its parts': { of: 'case', ask: (id) => ask('A2').get(`/api/cases/${id}/parts`) },
  'case to be handed over': { of: 'case', ask: (id) => ask('A2').put(`/api/cases/${id}/owner`, { owner: id }) },
  'moment of a snapshot': { of: 'snapshot', ask: (id) => ask('A2').get(`/api/snapshots/${id}/moment`) },
  'mission to cut a clip from': {
    of: 'mission',
    ask: (id) => ask('A2').get(`/api/sensors/exportVideo/${id}/EO?markIn=0&markOut=1`),
  },
};

it.each(Object.keys(calls))('T-030 takes as long for a hidden %s as for one that never was', async (name) => {
  const { of, ask: call } = calls[name]!;
  const times: Record<'hidden' | 'random', number[]> = { hidden: [], random: [] };
  const answers = new Set<string>();

  for (let pair = 0; pair < WARM_UP + TIMED_PAIRS; pair += 1) {
    for (const kind of pair % 2 === 0 ? (['hidden', 'random'] as const) : (['random', 'hidden'] as const)) {
      const id = kind === 'hidden' ? hidden[of]! : crypto.randomUUID();
      const begun = performance.now();
      const { status, raw } = await call(id);
      if (pair >= WARM_UP) times[kind].push(performance.now() - begun);
      answers.add(`${status} ${raw.toString()}`);
    }
  }

  expect([...answers]).toEqual([expect.stringMatching(/^404 /)]);
  expect(Math.abs(median(times.hidden) - median(times.random))).toBeLessThan(slack * 5);
});

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
