import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Classification, DEMO_GROUP, type Role } from '@osprey/contract';
import type { InjectOptions } from 'fastify';
import type { Kysely } from 'kysely';
import pino from 'pino';
import { type Config, readConfig } from '../src/base/config/config.ts';
import type { Database } from '../src/base/db/schema.ts';
import type { Items } from '../src/base/items/items.ts';
import { type Api, type ApiOptions, composeApi } from '../src/compose/api.ts';
import { credentialRepository } from '../src/features/identity/credentials.ts';
import { DEVICE_COOKIE } from '../src/features/identity/session.ts';
import { atEnd } from './cleanup.ts';
import { testDatabaseAt } from './database.ts';

/** The test subjects of the acceptance checks: role, clearance, groups in addition to Demo. */
const subjects = {
  SA: { role: 'superAdmin', clearance: 5, groups: [] },
  A2: { role: 'admin', clearance: 2, groups: ['G1'] },
  GA: { role: 'groupAdmin', clearance: 3, groups: ['G1'] },
  U1: { role: 'user', clearance: 3, groups: ['G1'] },
  U2: { role: 'user', clearance: 5, groups: ['G2'] },
  U0: { role: 'user', clearance: 1, groups: [] },
} as const;

export type Subject = keyof typeof subjects | 'guest';
export const subjectNames: readonly Subject[] = ['SA', 'A2', 'GA', 'U1', 'U2', 'U0', 'guest'];
const ceilings = { G1: 3, G2: 5 } as const;

export type TestServer = Awaited<ReturnType<typeof testServer>>;

export type TestServerOptions = {
  config?: Partial<Config>;
  clock?: ApiOptions['clock'];
  beforeSending?: () => Promise<void>;
  log?: pino.Logger;
  /** Another table of items than that of the product. */
  items?: Items;
  /** Without accounts: as a fresh installation, with this code. */
  setupCode?: string;
};

type Sent = Omit<InjectOptions, 'headers'> & { headers?: Record<string, string> };

/** The real api process on a fresh database and folder, with the subjects of the acceptance checks as users. */
export async function testServer(options: TestServerOptions = {}) {
  const { db, url } = await testDatabaseAt();
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-test-data-'));
  const people = options.setupCode === undefined ? await makeSubjects(db) : null;
  const api = await composeApi({
    config: { ...readConfig({}), port: 0, dataDir, guest: true, ...options.config },
    databaseUrl: url,
    log: options.log ?? pino({ level: process.env.OSPREY_TEST_LOG ?? 'silent' }),
    setupCode: options.setupCode ?? null,
    tls: null,
    ...(options.items ? { items: options.items } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.beforeSending ? { beforeSending: options.beforeSending } : {}),
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await api.close();
  };
  atEnd(async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const inject = ({ headers = {}, ...rest }: Sent) => api.app.inject({ ...rest, headers });
  const userId = (name: Subject) => people!.ids[name];
  const headersOf = (name: Subject) => people!.browsers[name];

  return {
    ...appOf(api),
    db,
    databaseUrl: url,
    dataDir,
    /** By name: Demo, G1, G2. */
    groups: people?.groups ?? { Demo: '', G1: '', G2: '' },
    userId,
    /** Headers of a subject's browser: Basic and its cookie. */
    headersOf,
    /** Without any credential. */
    inject,
    asUser: (name: Subject) => ({
      inject: ({ headers = {}, ...rest }: Sent) => inject({ ...rest, headers: { ...headersOf(name), ...headers } }),
    }),
    /** Opens the port; returns the address. */
    async listen(): Promise<string> {
      const { port } = await api.listen();
      return `http://127.0.0.1:${port}`;
    },
    close,
    /** Headers of a subject's program, whose session has a ceiling. */
    async limited(name: Subject, ceiling: Classification): Promise<{ authorization: string }> {
      const credentials = credentialRepository({ db, nowUs: () => Date.now() * 1000 });
      const own = { userId: userId(name), client: 'test', address: '127.0.0.1', cookie: false, ceiling };
      return { authorization: basicOf(name, (await credentials.make(own)).secret) };
    },
  };
}

const appOf = ({ app, http, hub, dependencies, reads, coordination, conference }: Api) => ({
  ...{ app, http, hub, dependencies, reads, coordination, conference },
});

export const basicOf = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

async function makeSubjects(db: Kysely<Database>) {
  const nowUs = () => Date.now() * 1000;
  const credentials = credentialRepository({ db, nowUs });
  const groups = await makeGroups(db, nowUs());
  const ids = {} as Record<Subject, string>;
  const browsers = {} as Record<Subject, { authorization: string; cookie: string }>;
  for (const [name, { role, clearance, groups: own }] of Object.entries(subjects)) {
    ids[name as Subject] = await makeUser(db, { name, role, clearance });
    await addToGroups(db, 'user_usergroups', ids[name as Subject], [groups.Demo, ...own.map((group) => groups[group])]);
  }
  await addToGroups(db, 'user_administered', ids.GA, [groups.G1]);
  const guest = await db.selectFrom('users').select('id').where('role', '=', 'guest').executeTakeFirstOrThrow();
  ids.guest = guest.id;
  for (const name of subjectNames) {
    const made = await credentials.make({ userId: ids[name], client: 'test', address: '127.0.0.1', cookie: true });
    browsers[name] = { authorization: basicOf(name, made.secret), cookie: `${DEVICE_COOKIE}=${made.cookie}` };
  }
  return { groups, ids, browsers };
}

async function makeGroups(db: Kysely<Database>, created: number) {
  const groups = { [DEMO_GROUP]: '', G1: '', G2: '' };
  const demo = await db.selectFrom('usergroups').select('id').where('name', '=', DEMO_GROUP).executeTakeFirstOrThrow();
  groups[DEMO_GROUP] = demo.id;
  for (const [name, classification] of Object.entries(ceilings)) {
    const { id } = await db
      .insertInto('usergroups')
      .values({ name, classification, created })
      .returning('id')
      .executeTakeFirstOrThrow();
    groups[name as keyof typeof ceilings] = id;
  }
  return groups as Record<'Demo' | 'G1' | 'G2', string>;
}

/** An account without groups. A password hash is left to tests that need one. */
export async function makeUser(
  db: Kysely<Database>,
  { name, role, clearance }: { name: string; role: Role; clearance: number },
): Promise<string> {
  const { id } = await db
    .insertInto('users')
    .values({ username: name, username_key: name.toLowerCase(), role, clearance, registered: Date.now() * 1000 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function addToGroups(
  db: Kysely<Database>,
  table: 'user_usergroups' | 'user_administered',
  userId: string,
  groupIds: readonly string[],
): Promise<void> {
  await db
    .insertInto(table)
    .values(groupIds.map((usergroup_id) => ({ user_id: userId, usergroup_id })))
    .execute();
}
