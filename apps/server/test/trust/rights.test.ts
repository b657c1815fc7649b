import { randomBytes } from 'node:crypto';
import { type Call, createMission, PRODUCT_VERSION } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { contractCalls } from '../../src/http/calls.ts';
import { addDocument, documentForm } from '../documents.ts';
import { addFile, addMission, addSensor } from '../missions.ts';
import { addPlatform } from '../platforms.ts';
import { type Subject, testServer } from '../server.ts';

const server = await testServer();
const { db, groups, asUser, inject } = server;

const roles = { superAdmin: 'SA', admin: 'A2', groupAdmin: 'GA', user: 'U1', guest: 'guest' } as const;
type RoleName = keyof typeof roles;
const roleNames = Object.keys(roles) as RoleName[];

const everybody = roleNames;
const admins: RoleName[] = ['superAdmin', 'admin'];
const adminRoles: RoleName[] = [...admins, 'groupAdmin'];
const accounts: RoleName[] = [...adminRoles, 'user'];
/** Answered without a credential: the handlers decide. */
const anybody = 'anybody';

/** trust.md 2.7, by call. Where an item is needed it is one of group G1, which groupAdmin administers. */
const table: Record<string, RoleName[] | typeof anybody> = {
  login: anybody,
  guestSession: anybody,
  getSetup: anybody,
  runSetup: anybody,
  getInfo: anybody,
  getHealth: anybody,
  userExists: anybody,
  createUser: anybody,
  logout: everybody,
  authenticated: everybody,
  ownGroups: everybody,
  createTicket: everybody,
  changeOwnPassword: accounts,
  getSecondFactor: accounts,
  offerSecondFactor: accounts,
  confirmSecondFactor: accounts,
  renewRecoveryCodes: accounts,
  removeSecondFactor: accounts,
  offerSecondFactorAtLogin: anybody,
  removeSecondFactorOf: admins,
  startSingleSignOn: anybody,
  finishSingleSignOn: anybody,
  openSingleSignOn: anybody,
  listCredentials: accounts,
  createApiCredential: accounts,
  revokeCredential: accounts,
  getSystemInfo: adminRoles,
  getDashboard: adminRoles,
  shutdown: admins,
  update: ['superAdmin'],
  listUsers: adminRoles,
  getUser: adminRoles,
  changeUsers: adminRoles,
  inviteUser: adminRoles,
  resetByLink: admins,
  lookAtPasswordLink: anybody,
  usePasswordLink: anybody,
  listActivity: adminRoles,
  exportActivity: adminRoles,
  listSessions: adminRoles,
  listUserMessages: everybody,
  endSessions: admins,
  updateUser: adminRoles,
  updateUserByPost: adminRoles,
  resetPassword: admins,
  deleteUsers: admins,
  listUsergroups: everybody,
  createUsergroup: admins,
  onlyAudience: admins,
  updateUsergroup: admins,
  deleteUsergroups: admins,
  listBackups: admins,
  countBackups: admins,
  createBackup: admins,
  verifyBackup: admins,
  deleteBackups: ['superAdmin'],
  showBackupKey: ['superAdmin'],
  getLicenceInfo: everybody,
  getLicenceFile: admins,
  uploadLicence: admins,
  getLicenceLogo: anybody,
  listPlatforms: everybody,
  controlPlatform: adminRoles,
  getPlatformConfig: admins,
  createPlatform: admins,
  updatePlatform: admins,
  deletePlatform: admins,
  setPlatformUsergroups: adminRoles,
  setPlatformUsergroupsByPost: adminRoles,
  getPlatformsConfigFile: admins,
  uploadPlatformsConfig: admins,
  listPlatformVersions: admins,
  restorePlatformVersion: admins,
  listTags: everybody,
  listCountryCodes: everybody,
  listPlatformTypes: everybody,
  getMapConfig: everybody,
  getMapTile: everybody,
  listMissions: everybody,
  getMission: everybody,
  getMissionArea: everybody,
  getThumbnail: everybody,
  createMission: adminRoles,
  updateMission: adminRoles,
  deleteMissions: adminRoles,
  restoreMissions: adminRoles,
  removeSamples: admins,
  listBin: admins,
  emptyBin: ['superAdmin'],
  holdMission: admins,
  releaseMission: admins,
  exportMissions: adminRoles,
  exportMissionList: adminRoles,
  listExports: accounts,
  createExportTicket: accounts,
  getExport: accounts,
  removeExport: accounts,
  listImports: adminRoles,
  removeImport: adminRoles,
  listRetentionRules: admins,
  createRetentionRule: admins,
  updateRetentionRule: admins,
  deleteRetentionRule: admins,
  getStorageForecast: admins,
  listWatchFolders: admins,
  createWatchFolder: admins,
  updateWatchFolder: admins,
  deleteWatchFolder: admins,
  intakeReport: admins,
  importList: admins,
  uploadFiles: adminRoles,
  listSensors: everybody,
  getSensorTimeline: everybody,
  getTelemetry: everybody,
  getTelemetrySet: everybody,
  getFrameCenterPoints: everybody,
  getSensorPath: everybody,
  getKlvHealth: everybody,
  getSensorPictures: everybody,
  playSensor: everybody,
  shiftSensor: adminRoles,
  deleteAsset: adminRoles,
  getPlaylist: everybody,
  getMediaFile: everybody,
  getMediaSegment: everybody,
  getLivePlaylist: everybody,
  getLiveFile: everybody,
  openWhep: everybody,
  closeWhep: everybody,
  listDocuments: everybody,
  listDocumentBin: admins,
  getDocument: everybody,
  createDocument: accounts,
  updateDocument: accounts,
  deleteDocument: accounts,
  restoreDocuments: accounts,
  createDocumentToken: accounts,
  downloadDocument: accounts,
  getDocumentThumbnail: everybody,
  getDocumentPage: everybody,
  getDocumentText: everybody,
  getDocumentVideo: everybody,
  getDocumentPlaylist: everybody,
  listJobs: adminRoles,
  retryJob: adminRoles,
  cancelJob: adminRoles,
  listAudit: admins,
  listAuditActions: admins,
  exportAudit: admins,
  verifyAudit: admins,
};

/** The guest is in Demo alone; everybody else meets in G1. */
const groupFor = (role: RoleName) => (role === 'guest' ? groups.Demo : groups.G1);

type Items = {
  mission: string;
  sensor: string;
  user: string;
  session: string;
  file: string;
  job: string;
  document: string;
  platform: string;
};

/** New for each cell, so that no call finds what another has changed. */
async function items(role: RoleName, call: Call): Promise<Items> {
  const deleted = call.path === '/missions/restore' ? { deleted_time: 1 } : {};
  const mission = await addMission(db, { audience: 'groups', state: 'Ready', ...deleted });
  await db
    .insertInto('mission_usergroups')
    .values({ mission_id: mission, usergroup_id: groupFor(role) })
    .execute();
  const sensor = await addSensor(db, mission, { state: 'Ready' });
  const key = `originals/${sensor}/a.ts`;
  await server.parts.storage.put(key, [new Uint8Array(188)]);
  const file = await addFile(db, sensor, { storage_key: key });
  const job = await db
    .insertInto('jobs')
    .values({
      kind: 'ingest',
      state: 'failed',
      mission_id: mission,
      sensor_id: sensor,
      file_id: null,
      error: null,
      created: 0,
      heartbeat: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const name = `target ${crypto.randomUUID()}`;
  const user = await db
    .insertInto('users')
    .values({
      username: name,
      username_key: name,
      role: 'user',
      clearance: 1,
      registered: 0,
      password_hash: null,
      last_access: null,
      deleted_time: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('user_usergroups').values({ user_id: user.id, usergroup_id: groups.G1 }).execute();
  const session = await db
    .insertInto('credentials')
    .values({
      user_id: user.id,
      secret_hash: randomBytes(32),
      cookie_hash: null,
      created: 0,
      last_used: 0,
      expires: 0,
      client: '',
      address: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const binned = call.path === '/documents/restore' ? { deleted_time: 1, deleted_by: server.userId(roles[role]) } : {};
  const document = await addDocument(db, { audience: 'groups', thumbnail: true, ...binned }, [groupFor(role)]);
  await server.parts.storage.put(`documents/${document}/original`, [Buffer.from('hello')]);
  await server.parts.storage.put(`documents/${document}/thumbnail.webp`, [Buffer.from('picture')]);
  const platform = await addPlatform(db, { usergroups: [groupFor(role)] });
  return { mission, sensor, user: user.id, session: session.id, file, job: job.id, document, platform };
}

/** An address and body that the schema takes and that lead to the items. */
async function request(call: Call, { mission, sensor, user, session, file, job, document, platform }: Items) {
  const ids: Record<string, string> = {
    mission,
    sensor,
    sensorId: sensor,
    fileId: file,
    file: `${file}.ts`,
    segment: '0.ts',
    ...{ layer: '0'.repeat(16), z: '0', x: '0', y: '0' },
    thumbnail: call.path.startsWith('/documents') ? `${document}.webp` : `${sensor}.jpg`,
    page: '1',
    username: 'nobody',
    session: crypto.randomUUID(),
    name: call.path.startsWith('/platforms') ? platform : BACKUP,
    version: '1',
    id: call.path.startsWith('/users')
      ? user
      : call.path.startsWith('/sensors')
        ? sensor
        : call.path.startsWith('/jobs')
          ? job
          : call.path.startsWith('/documents')
            ? document
            : call.path.startsWith('/platforms')
              ? platform
              : crypto.randomUUID(),
  };
  const path = call.path.replace(/:(\w+)/g, (_all, key: string) => ids[key] ?? '');
  const userName = (await db.selectFrom('users').select('username').where('id', '=', user).executeTakeFirstOrThrow())
    .username;
  const queries: Record<string, string> = {
    '/sensors': `?missionIdOrName=${mission}`,
    '/sensors/telemetry-set/:mission/:sensor': '?time=1',
    'DELETE /users': `?users=${encodeURIComponent(userName)}`,
    'DELETE /usergroups': '?usergroups=nobody',
    'DELETE /backups': `?backups=${BACKUP}`,
    'GET /usergroups/only': '?usergroups=G1',
    'DELETE /sessions': `?sessions=${session}`,
    'POST /platforms/control': '?command=start',
    '/platforms/usergroups/:name': `?ids=${groups.G1}`,
  };
  const bodies: Record<string, unknown> = {
    'PUT /users/password': { oldPassword: 'x', newPassword: 'correct horse battery' },
    'POST /credentials': { name: 'a script', days: 1 },
    'POST /second-factor': { password: 'x' },
    'PUT /second-factor': { code: '000000' },
    'POST /second-factor/recovery-codes': { code: '000000' },
    'POST /second-factor/remove': { password: 'x', code: '000000' },
    'PUT /users/:id/password': { password: 'correct horse battery' },
    'PUT /users': { users: [user] },
    'POST /users/invitations': { username: `invited ${crypto.randomUUID()}` },
    'POST /usergroups': { name: `group ${crypto.randomUUID()}` },
    'POST /missions': { name: `n${crypto.randomUUID()}`, usergroups: [groups.G1], securityClassification: 1 },
    'PUT /missions': { _id: mission, name: 'unchanged', description: 'changed' },
    'DELETE /missions': { missions: [mission] },
    'POST /missions/restore': { missions: [mission] },
    'DELETE /bin': { missions: [mission] },
    'POST /retention/rules': { usergroup: groups.G1, platform: crypto.randomUUID(), days: 9000 },
    'PUT /retention/rules/:id': { usergroup: groups.G1, days: 9000 },
    'POST /intake/folders': { path: 'here', securityClassification: 1, usergroups: [groups.G1] },
    'PUT /intake/folders/:id': { path: 'here', securityClassification: 1, usergroups: [groups.G1] },
    'POST /intake/folders/:id/list': { format: 'csv', text: 'files' },
    'PUT /missions/:mission/hold': { reason: 'evidence of a case' },
    'POST /missions/export': { missions: [mission] },
    'POST /missions/exportList': { missions: [mission] },
    'POST /sensors/:id/shift': { shift: 1 },
    'POST /platforms/control': { platformName: platform },
    'POST /platforms': { name: `p ${crypto.randomUUID()}`, securityClassification: 1, usergroups: ['G1'] },
    'PUT /platforms/:id': { name: `p ${platform}`, securityClassification: 1, usergroups: ['G1'] },
    'PUT /documents/:id': { description: 'changed' },
    'POST /documents/restore': { documents: [document] },
  };
  const key = `${call.method} ${call.path}`;
  const payload = bodies[key] as object | undefined;
  return {
    method: call.method,
    url: `/api${path}${queries[key] ?? queries[call.path] ?? ''}`,
    ...(payload ? { payload } : {}),
    ...(call.raw === 'sdp' ? { headers: { 'content-type': 'application/sdp' }, payload: 'v=0' } : {}),
    ...(call.raw === 'form' ? (call.path === '/documents' ? newDocument : form) : {}),
  };
}

/** No such one is there. */
const BACKUP = '20260101-000000-manual';

const JSON_TYPE = 'application/json; charset=utf-8';

const newDocument = documentForm(
  {
    title: 'new',
    documentType: 'Note',
    securityClassification: '1',
    usergroups: JSON.stringify([groups.G1]),
  },
  { name: 'a.txt', bytes: Buffer.from('hello') },
);

const form = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  payload: '--x\r\ncontent-disposition: form-data; name="f"; filename="a.ts"\r\n\r\nnothing\r\n--x--\r\n',
};

describe('T-016 the rights table over HTTP', () => {
  it('has a row for each call of the contract', () => {
    expect(Object.keys(table).sort()).toEqual(
      contractCalls()
        .map(({ name }) => name)
        .sort(),
    );
  });

  const rows = contractCalls().filter(({ name }) => table[name] !== anybody);
  it.each(rows.map(({ name, call }) => [name, call] as const))('%s', async (name, call) => {
    const allowed = table[name] as RoleName[];
    for (const role of roleNames) {
      // A session that the call itself ends must be one of its own.
      if (name === 'logout') continue;
      const answer = await asUser(roles[role] as Subject).inject(await request(call, await items(role, call)));
      const status = answer.statusCode;

      const code = (answer.headers['content-type'] === JSON_TYPE ? answer.json() : {}).code;
      if (allowed.includes(role)) expect(['notSignedIn', 'forbidden', 'serverFault'], role).not.toContain(code);
      else expect(status, role).toBe(403);
    }

    const stranger = await inject(await request(call, await items('user', call)));
    expect(stranger.statusCode).toBe(401);
    expect(stranger.headers['www-authenticate']).toBeUndefined();
  });

  it('T-022 leaves a row for each refusal', async () => {
    const before = await refusals();
    await asUser('U1').inject({
      method: 'POST',
      url: '/api/missions',
      payload: { name: 'x', usergroups: [groups.G1], securityClassification: 1 },
    });
    await asUser('U1').inject({ method: 'GET', url: '/api/users' });
    await asUser('U1').inject({ method: 'GET', url: `/api/missions/${crypto.randomUUID()}` });

    const rows = (await refusals()).slice(before.length);
    expect(rows.map(({ action, result }) => [action, result])).toEqual([
      [createMission.action, 'forbidden'],
      ['user.list', 'forbidden'],
      ['mission.read', 'notFound'],
    ]);
    expect(rows.every(({ actor_id }) => actor_id === server.userId('U1'))).toBe(true);
  });

  const refusals = () =>
    db.selectFrom('audit').selectAll().where('decision', '=', 'refused').orderBy('node').orderBy('seq').execute();

  it('tells only admins where things lie, and strangers no more than they need', async () => {
    const info = async (by: Subject | null) =>
      (await (by ? asUser(by) : { inject }).inject({ method: 'GET', url: '/api/info' })).json() as Record<
        string,
        unknown
      >;

    expect(Object.keys(await info(null)).sort()).toEqual(
      ['company', 'guest', 'logo', 'registration', 'serverName', 'serverVer', 'singleSignOn'].sort(),
    );
    expect(await info('U1')).toMatchObject({ serverVer: PRODUCT_VERSION, clientIp: '127.0.0.1' });
    for (const folder of ['videoDir', 'documentDir']) {
      expect(await info('GA')).not.toHaveProperty(folder);
      expect((await info('A2'))[folder]).toMatch(/^\//);
    }
  });
});
