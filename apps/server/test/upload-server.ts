import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor, MissionUpdate } from '@osprey/contract';
import pino from 'pino';
import { afterAll } from 'vitest';
import { auditIntents } from '../src/base/audit/intents.ts';
import { auditWriter } from '../src/base/audit/writer.ts';
import { createApp, hostsOf } from '../src/base/http/app.ts';
import type { Http } from '../src/base/http/call-route.ts';
import { noSession, type Session } from '../src/base/http/session.ts';
import { startBoss } from '../src/base/jobs/boss.ts';
import { jobQueue } from '../src/base/jobs/queue.ts';
import { jobRoutes } from '../src/base/jobs/routes.ts';
import { folderStorage } from '../src/base/storage/folder.ts';
import { items } from '../src/compose/items.ts';
import { packagesOf } from '../src/features/cases/exports/used-bytes.ts';
import { admission } from '../src/uploads/admission.ts';
import { uploadRoutes } from '../src/uploads/multipart.ts';
import { tusRoutes } from '../src/uploads/tus.ts';
import { tusStore } from '../src/uploads/tus-store.ts';
import { testDatabase } from './database.ts';
import { addMission, addSensor, addUser } from './missions.ts';

export type UploadServer = Awaited<ReturnType<typeof startUploadServer>>;

/**
 * Both kinds of upload and the routes of jobs on a real port, over a real database and folder. The caller is in
 * `x-user`.
 */
export async function startUploadServer(
  options: { reserveBytes?: number; userQuotaBytes?: number; root?: string; nowUs?: () => number } = {},
) {
  const db = await testDatabase();
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'osprey-uploads-')));
  const storage = folderStorage({ root });
  const nowUs = options.nowUs ?? (() => Date.now() * 1000);
  const log = pino({ level: 'silent' });
  const boss = await startBoss({ db, worksAt: null, onError: () => {} });
  const queue = jobQueue({ boss, nowUs });
  const actors = new Map<string, Actor>();
  const updates: MissionUpdate[] = [];
  const changedIds: string[] = [];
  const app = await createApp({ log, tls: null, trustedProxies: [], hosts: hostsOf('127.0.0.1', []) });
  const http: Http = {
    app,
    identify: async (request): Promise<Session> => {
      const actor = actors.get(String(request.headers['x-user'])) ?? null;
      return actor === null ? noSession('notSignedIn') : { ...noSession(), actor, kind: 'password' };
    },
    auditWriter: auditWriter({ db, node: 'test', log }),
    auditIntents: auditIntents({ db, node: 'test', log }),
    nowUs,
    setUpNeeded: () => false,
    served: new Set(),
    items,
  };
  const doors = {
    ...http,
    db,
    storage,
    queue,
    nowUs,
    admission: admission({
      db,
      storage,
      reserveBytes: options.reserveBytes ?? 0,
      userQuotaBytes: options.userQuotaBytes ?? null,
      packagesOf,
      nowUs,
    }),
    uploads: tusStore({ db, storage, nowUs }),
    changed: (_noun: string, ids: string[]) => void changedIds.push(...ids),
    flow: (update: MissionUpdate) => void updates.push(update),
  };
  await uploadRoutes(doors);
  tusRoutes(doors);
  jobRoutes(doors);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  afterAll(async () => {
    await app.close();
    await boss.stop({ graceful: false });
    if (options.root === undefined) await rm(root, { recursive: true, force: true });
  });

  return {
    db,
    storage,
    root,
    actors,
    updates,
    changedIds,
    queue,
    boss,
    address: `http://127.0.0.1:${port}`,
    /** A new mission with one sensor. */
    async target() {
      const missionId = await addMission(db);
      return { missionId, sensorId: await addSensor(db, missionId) };
    },
    async user(name: string, role: Actor['role'] = 'admin'): Promise<Actor> {
      const id = await addUser(db, name, role);
      const actor: Actor = { id, username: name, role, clearance: 'TOP SECRET', groups: [], administered: [] };
      actors.set(name, actor);
      return actor;
    },
    /** Every file on disk, to see that nothing was left. */
    files: () => filesUnder(root),
  };
}

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
