import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Call, createMission, PRODUCT_VERSION, type Role } from '@osprey/contract';
import type { Insertable } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/db/schema.ts';
import { contractCalls } from '../../src/base/http/calls.ts';
import { addShipList } from '../ais.ts';
import { addAnnotation, newAnnotationBody } from '../annotations.ts';
import { addAnyItem, itemOfPath } from '../any-item.ts';
import { lastRowOfAudit } from '../audit.ts';
import { addCase, addCaseExport, addNote } from '../cases.ts';
import { addDamagedFile } from '../damaged.ts';
import { addDocument, documentForm } from '../documents.ts';
import { addFile, addMission, addSensor } from '../missions.ts';
import { addPlatform, sensorsOf } from '../platforms.ts';
import { type Subject, testServer } from '../server.ts';
import { accounts, adminRoles, admins, everybody } from './call-roles.ts';
import { callsByItem } from './own-calls.ts';

const server = await testServer();
const { db, groups, asUser, inject } = server;

const roles = { superAdmin: 'SA', admin: 'A2', groupAdmin: 'GA', user: 'U1', guest: 'guest' } as const satisfies Record<
  Role,
  Subject
>;
/** Answered without a credential: the handlers decide. */
const anybody = 'anybody';

/**
 * trust.md 2.7, by call, for what has no file in `own-calls`. Where an item is needed it is one of group G1, which
 * groupAdmin administers.
 */
const shared: Record<string, readonly Role[] | typeof anybody> = {
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
  getUpdates: admins,
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
  getReaders: accounts,
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
  listAisTargets: everybody,
  getAisTrail: everybody,
  getAisFrame: everybody,
  listAisVessels: everybody,
  getAisReports: everybody,
  getShipsInFrame: everybody,
  getFilmed: everybody,
  listHeard: everybody,
  getAisRange: everybody,
  setReceiverPlace: admins,
  listRecordings: everybody,
  listFrames: everybody,
  listAisSources: everybody,
  exportAisTargets: accounts,
  getAisSpan: admins,
  deleteAisTargets: admins,
  deleteVesselInfo: admins,
  controlPlatform: adminRoles,
  chooseLiveKlv: adminRoles,
  getPlatformConfig: admins,
  createPlatform: admins,
  testSource: admins,
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
  searchSitePlaces: everybody,
  getSitePlaceList: admins,
  putSitePlaceList: admins,
  deleteSitePlaceList: admins,
  listPlatformTypes: everybody,
  getMapConfig: everybody,
  getMapTile: everybody,
  listTileFiles: admins,
  addTileFile: admins,
  removeTileFile: admins,
  listMissions: everybody,
  getLookback: everybody,
  getLastSeenTile: everybody,
  getCoverageState: everybody,
  getSeenExtent: everybody,
  countByPlace: everybody,
  findByPlace: everybody,
  listSavedSearches: accounts,
  createSavedSearch: accounts,
  updateSavedSearch: accounts,
  deleteSavedSearch: accounts,
  listSearchHits: accounts,
  seeSearchHits: accounts,
  clearSearchHits: accounts,
  getMission: everybody,
  getMissionArea: everybody,
  getThumbnail: everybody,
  createMission: adminRoles,
  updateMission: adminRoles,
  renameMission: adminRoles,
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
  resumeExport: accounts,
  listImports: adminRoles,
  removeImport: adminRoles,
  listRetentionRules: admins,
  createRetentionRule: admins,
  updateRetentionRule: admins,
  deleteRetentionRule: admins,
  getStorageForecast: admins,
  getStoredCheck: admins,
  listDamagedItems: admins,
  restoreStoredItem: admins,
  restoreStoredItems: admins,
  acceptStoredLoss: admins,
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
  getVideoList: everybody,
  getKlvHealth: everybody,
  listClips: everybody,
  createClip: accounts,
  updateClip: accounts,
  deleteClips: accounts,
  exportClip: accounts,
  orderClip: accounts,
  exportTelemetry: accounts,
  planClip: accounts,
  exportVideo: accounts,
  orderFoundClips: accounts,
  orderVideo: accounts,
  getSensorPictures: everybody,
  getSensorSheets: everybody,
  getSensorSheet: everybody,
  playSensor: everybody,
  shiftSensor: adminRoles,
  deleteAsset: adminRoles,
  setSidecar: adminRoles,
  readFileAs: adminRoles,
  addVideoSensor: adminRoles,
  getPlaylist: everybody,
  getMediaFile: everybody,
  getMediaSegment: everybody,
  getLivePlaylist: everybody,
  getLiveFile: everybody,
  exportLive: accounts,
  planLiveExport: accounts,
  openWhep: everybody,
  closeWhep: everybody,
  listDocuments: everybody,
  listDocumentBin: admins,
  getDocument: everybody,
  listBookmarks: everybody,
  createBookmark: accounts,
  updateBookmark: accounts,
  deleteBookmarks: accounts,
  restoreBookmarks: accounts,
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
  createSnapshot: accounts,
  getSnapshotMoment: everybody,
  listSnapshots: everybody,
  listAnnotations: everybody,
  listAnnotationBin: admins,
  createAnnotation: accounts,
  updateAnnotation: accounts,
  deleteAnnotation: accounts,
  deleteAnnotations: accounts,
  restoreAnnotations: accounts,
  exportAnnotations: accounts,
  importAnnotations: accounts,
  listCases: everybody,
  listCaseBin: admins,
  createCase: accounts,
  getCase: everybody,
  updateCase: accounts,
  deleteCases: accounts,
  restoreCases: accounts,
  holdCase: admins,
  handOverCase: accounts,
  listCasePeople: accounts,
  listCaseParts: everybody,
  addCaseParts: accounts,
  updateCasePart: accounts,
  removeCaseParts: accounts,
  restoreCaseParts: accounts,
  orderCaseParts: accounts,
  listCaseComments: everybody,
  addCaseComment: accounts,
  updateCaseComment: accounts,
  strikeCaseComment: accounts,
  listCaseExports: everybody,
  planCaseExport: accounts,
  exportCase: accounts,
  releaseCaseExport: accounts,
  downloadCaseExport: accounts,
  removeCaseExport: accounts,
  listSigningKeys: everybody,
  listJobs: adminRoles,
  retryJob: adminRoles,
  cancelJob: adminRoles,
  listAudit: admins,
  listAuditActions: admins,
  exportAudit: admins,
  verifyAudit: admins,
  listRooms: accounts,
  createRoom: admins,
  deleteRoom: admins,
  createConferenceToken: accounts,
};

/** All of them; a call that is stated twice is in it twice. */
const stated = [shared, ...callsByItem.map((own) => own.roles)].flatMap((calls) => Object.entries(calls));
const table = new Map(stated);

/** Past the door of the right: what is not there, or not as it should be, is answered for as such. */
const past: Record<string, [status: number, code: string]> = {
  ...Object.fromEntries(
    [
      ...[
        'deleteBackups',
        'verifyBackup',
        'getDocumentPage',
        'getSnapshotMoment',
        'getThumbnail',
        'getMapTile',
        'getAisRange',
        'setReceiverPlace',
        'addTileFile',
        'removeTileFile',
      ],
      ...[
        'getSensorSheet',
        'getPlaylist',
        'getMediaSegment',
        'getSensorTimeline',
        'getLivePlaylist',
        'openWhep',
        'closeWhep',
      ],
    ].map((name) => [name, [404, 'notFound'] as [number, string]]),
  ),
  ...{ setSidecar: [422, 'ruleRefused'], addVideoSensor: [422, 'ruleRefused'] },
  ...{ getDocumentVideo: [422, 'badFile'], getDocumentPlaylist: [422, 'badFile'] },
  update: [404, 'notFound'],
  getLookback: [400, 'invalid'],
  getLastSeenTile: [400, 'invalid'],
  countByPlace: [400, 'invalid'],
  findByPlace: [400, 'invalid'],
  getVideoList: [400, 'invalid'],
  ...{ getLiveFile: [400, 'invalid'], uploadLicence: [400, 'invalid'], uploadPlatformsConfig: [400, 'invalid'] },
  ...{
    uploadFiles: [415, 'unsupportedFile'],
    importAnnotations: [422, 'badFile'],
    importList: [422, 'ruleRefused'],
    shutdown: [422, 'ruleRefused'],
  },
  ...{ changeOwnPassword: [401, 'unauthorized'], offerSecondFactor: [401, 'unauthorized'] },
  ...{ removeSecondFactor: [401, 'unauthorized'], confirmSecondFactor: [401, 'wrongSecondFactor'] },
  testSource: [422, 'ruleRefused'],
  createBookmark: [422, 'ruleRefused'],
  createClip: [422, 'ruleRefused'],
  exportClip: [422, 'ruleRefused'],
  orderClip: [422, 'ruleRefused'],
  orderFoundClips: [422, 'ruleRefused'],
  orderVideo: [422, 'ruleRefused'],
  exportTelemetry: [422, 'ruleRefused'],
  planClip: [422, 'ruleRefused'],
  // Nothing of it is kept.
  exportLive: [422, 'ruleRefused'],
  exportVideo: [422, 'ruleRefused'],
  renewRecoveryCodes: [401, 'wrongSecondFactor'],
};

/** A way in for a socket, a count of viewings, a question: the audit has the row of what is seen or saved afterwards. */
const withoutRow = new Set(['createTicket', 'playSensor', 'getReaders', 'getVideoList', 'findByPlace', 'countByPlace']);
const isChange = (name: string, { method }: Call): boolean => method !== 'GET' && !withoutRow.has(name);

const rowsAfter = (seq: number) =>
  db
    .selectFrom('audit')
    .select(['actor_id', 'action', 'decision', 'result'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute();

/** The guest is in Demo alone; everybody else meets in G1. */
const groupFor = (role: Role) => (role === 'guest' ? groups.Demo : groups.G1);

type Items = {
  mission: string;
  sensor: string;
  user: string;
  userName: string;
  session: string;
  file: string;
  job: string;
  document: string;
  annotation: string;
  platform: string;
  /** A sensor of such a platform. */
  liveSensor: string;
  bookmark: string;
  clip: string;
  case: string;
  casePart: string;
  caseComment: string;
  caseExport: string;
  /** An account that a case can be handed over to. */
  nextOwner: string;
  /** Id of any other kind. */
  other: string;
};
type Kind = keyof Items;

/** A word for each kind, by which it is seen whether a request names one. */
const marks: Items = {
  ...{ mission: 'the-mission', sensor: 'the-sensor', user: 'the-user', userName: 'the-user-name' },
  ...{ session: 'the-session', file: 'the-file', job: 'the-job', document: 'the-document' },
  liveSensor: 'the-live-sensor',
  ...{ platform: 'the-platform', bookmark: 'the-bookmark', clip: 'the-clip', other: 'the-other' },
  annotation: 'the-annotation',
  ...{ case: 'the-case', casePart: 'the-case-part', caseComment: 'the-case-comment' },
  caseExport: 'the-case-export',
  nextOwner: 'the-next-owner',
};

function namedBy(call: Call): (...kinds: Kind[]) => boolean {
  const { url, payload } = request(call, marks);
  const text = url + JSON.stringify(payload ?? '');
  return (...kinds) => kinds.some((kind) => text.includes(marks[kind]));
}

/** Makes the items that the call names, others for each cell: no call finds what another has changed. */
async function items(role: Role, call: Call, names = namedBy(call)): Promise<Items> {
  const made = { ...marks };
  // The named object may be of a mission, or in it.
  if (names('mission', 'sensor', 'file', 'job', 'bookmark', 'clip', 'other') || call.path.startsWith('/intake/')) {
    const inBin = call.path === '/missions/restore' || call.path === '/bin';
    const deleted = inBin ? { deleted_time: 1, deleted_by: server.userId(roles[role]) } : {};
    made.mission = await addMission(db, { audience: 'groups', state: 'Ready', ...deleted });
    const link = { mission_id: made.mission, usergroup_id: groupFor(role) };
    await db.insertInto('mission_usergroups').values(link).execute();
    made.sensor = await addSensor(db, made.mission, { state: 'Ready' });
  }
  if (names('mission', 'sensor', 'file')) {
    const key = `originals/${made.sensor}/a.ts`;
    await server.dependencies.storage.put(key, [new Uint8Array(188)]);
    made.file = await addFile(db, made.sensor, { storage_key: key });
  }
  if (names('mission', 'sensor', 'job')) {
    const times = { created: 0, heartbeat: null, error: null, file_id: null };
    const of = { mission_id: made.mission, sensor_id: made.sensor };
    const row = { kind: 'ingest', state: 'failed', ...of, ...times } as const;
    made.job = (await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }
  if (names('clip')) {
    const of = { mission_id: made.mission, sensor_id: made.sensor };
    made.clip = await addClip(of, server.userId(roles[role]));
  }
  if (names('bookmark')) {
    const of = { mission_id: made.mission, sensor_id: made.sensor };
    made.bookmark = await addBookmark(of, server.userId(roles[role]), call.path === '/bookmarks/restore');
  }
  if (names('user', 'userName', 'session')) Object.assign(made, await addTarget());
  if (names('document')) {
    const isBinned = call.path === '/documents/restore';
    const deleted = isBinned ? { deleted_time: 1, deleted_by: server.userId(roles[role]) } : {};
    made.document = await addDocument(db, { audience: 'groups', thumbnail: true, ...deleted }, [groupFor(role)]);
    await server.dependencies.storage.put(`documents/${made.document}/original`, [Buffer.from('hello')]);
    await server.dependencies.storage.put(`documents/${made.document}/thumbnail.webp`, [Buffer.from('picture')]);
  }
  if (names('annotation')) {
    const isBinned = call.path === '/annotations/restore';
    const deleted = isBinned ? { deleted_time: 1, deleted_by: server.userId(roles[role]) } : {};
    made.annotation = await addAnnotation(db, { audience: 'groups', ...deleted }, [groupFor(role)]);
  }
  if (names('case')) Object.assign(made, await addOwnCase(role, call));
  if (names('platform')) made.platform = await addPlatform(db, { usergroups: [groupFor(role)] });
  if (names('liveSensor')) {
    const { EO } = await sensorsOf(db, await addPlatform(db, { usergroups: [groupFor(role)] }));
    made.liveSensor = EO!;
  }
  made.other = await otherId(role, call, made.mission);
  return made;
}

/** A clip of the caller, of a recording that is not there. */
async function addClip({ mission_id, sensor_id }: { mission_id: string; sensor_id: string }, author_id: string) {
  const words = { title: 'c', note: '', tags: [], author: 'a', editor: 'a', created: 0 };
  const clip_id = await idOf('clips', { mission_id, author_id, ...words });
  const ends = { in_file: null, in_run: null, in_pts: null, out_file: null, out_run: null, out_pts: null };
  await db
    .insertInto('clip_cuts')
    .values({ clip_id, position: 0, sensor_id, in_time: 0, out_time: 1, ...ends })
    .execute();
  return clip_id;
}

/** A bookmark of the caller. */
function addBookmark(of: { mission_id: string; sensor_id: string }, author_id: string, isDeleted: boolean) {
  const place = { file_id: null, run: null, pts: null, last_time: 0, thumbnail: null, created: 0 };
  const words = { title: 'b', text: '', color: '#e8b54a', tags: [], author: 'a', editor: 'a' };
  const deleted_time = isDeleted ? Date.now() * 1000 : null;
  return idOf('bookmarks', { ...of, ...place, ...words, author_id, deleted_time });
}

type OfCase = Pick<Items, 'case' | 'casePart' | 'caseComment' | 'caseExport' | 'nextOwner'>;

/**
 * A case of the caller, with a note, a comment and an export of theirs; the export that is to be released is another's.
 */
async function addOwnCase(role: Role, { path }: Call): Promise<OfCase> {
  const user = server.userId(roles[role]);
  const deleted = path === '/cases/restore' ? { deleted_time: 1, deleted_by: user } : {};
  const id = await addCase(db, { audience: 'groups', owner_id: user, ...deleted }, [groupFor(role)]);
  const removed_time = path.endsWith('/parts/restore') ? Date.now() * 1000 : null;
  const words = { case_id: id, author_id: user, author: 'a', text: 'c', created: Date.now() * 1000 };
  const nextOwner = server.userId(user === server.userId('SA') ? 'A2' : 'SA');
  const waits = { state: 'WaitsForRelease' as const, created_by_id: nextOwner };
  const caseExport = await addCaseExport(db, id, path.endsWith('/release') ? waits : { created_by_id: user });
  await server.dependencies.storage.put(`exports/case-${caseExport}.zip`, [Buffer.from('hello')]);
  return {
    caseExport,
    nextOwner,
    case: id,
    casePart: await addNote(db, id, { removed_time }),
    caseComment: await idOf('case_comments', words),
  };
}

/** A user of G1, signed in. */
async function addTarget(): Promise<Pick<Items, 'user' | 'userName' | 'session'>> {
  const userName = `target ${crypto.randomUUID()}`;
  const user = await db
    .insertInto('users')
    .values({
      username: userName,
      username_key: userName,
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
  const times = { created: 0, last_used: 0, expires: 0 };
  const secret = { secret_hash: randomBytes(32), cookie_hash: null, client: '', address: '' };
  const session = await idOf('credentials', { user_id: user.id, ...times, ...secret });
  return { user: user.id, userName, session };
}

type Named =
  | 'bookmarks'
  | 'clips'
  | 'case_comments'
  | 'usergroups'
  | 'credentials'
  | 'saved_searches'
  | 'retention_rules'
  | 'watch_folders'
  | 'tasks';
async function idOf<Table extends Named>(table: Table, row: Insertable<Database[Table]>): Promise<string> {
  const values = row as never;
  const made = await db.insertInto<Named>(table).values(values).returning('id').executeTakeFirstOrThrow();
  return made.id;
}

/** A room of the group that all accounts are in, whose ceiling is below every clearance. */
async function addRoom(): Promise<string> {
  const row = { name: crypto.randomUUID(), classification: 1, empty_timeout_s: 300, max_participants: 2, created: 0 };
  const none = { maker_id: null, empty_since: null, deleted_time: null };
  const { id } = await db
    .insertInto('rooms')
    .values({ ...row, ...none })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('room_usergroups').values({ room_id: id, usergroup_id: groups.Demo }).execute();
  return id;
}

const inboxOf = (mission: string): string => join(server.dataDir, 'inbox', mission);

/** Items that `items` makes, with what belongs to them. */
const HAS_OWN: ReadonlySet<string> = new Set(['mission', 'document', 'platform', 'annotation', 'case']);

/** The id or name of a call's other subject: one of the caller, if it belongs to an account. */
async function otherId(role: Role, { path }: Call, mission: string): Promise<string> {
  const user_id = server.userId(roles[role]);
  const name = crypto.randomUUID();
  if (path.startsWith('/conference')) return addRoom();
  if (path.startsWith('/shiplists')) {
    return addShipList(
      db,
      { audience: 'groups', owner_id: user_id },
      { groups: [groupFor(role)], ships: [211_000_000] },
    );
  }
  if (path.startsWith('/usergroups')) {
    const id = await idOf('usergroups', { name, classification: 1, created: 0 });
    return path === '/usergroups' ? name : id;
  }
  if (path.startsWith('/credentials/')) {
    const times = { created: 0, last_used: 0, expires: Number.MAX_SAFE_INTEGER };
    const secret = { secret_hash: randomBytes(32), cookie_hash: null, client: '', address: '' };
    return idOf('credentials', { user_id, ...times, ...secret });
  }
  if (path.startsWith('/coverage/searches/')) {
    const question = JSON.stringify({ shape: { type: 'Point', coordinates: [0, 0] }, filter: {} });
    return idOf('saved_searches', { user_id, name, question, created: 0 });
  }
  // One order at a time: no worker carries them out here.
  if (/^\/(?:backups|stored)/.test(path)) await db.deleteFrom('backup_runs').execute();
  if (path.startsWith('/stored/:id') || path === '/stored/restore') return addDamagedFile(server, mission);
  if (path.startsWith('/retention/')) {
    return idOf('retention_rules', { created_by: null, usergroup_id: null, platform: name, days: 9000, created: 0 });
  }
  if (path.startsWith('/intake/')) {
    const folder = inboxOf(mission);
    await mkdir(folder, { recursive: true });
    if (path === '/intake/folders') return name;
    const requested = { path: folder, classification: 1, audience: 'groups' as const, usergroups: [groups.G1] };
    const platform = JSON.stringify({ name: '', type: 'Plane', presentation: { color: '#22ccdd' } });
    return idOf('watch_folders', { ...requested, platform, user_id, problem: null, created: 0 });
  }
  const item = itemOfPath(path);
  if (item !== undefined && !HAS_OWN.has(item)) {
    return addAnyItem(db, item, { audience: 'groups' }, [groupFor(role)]);
  }
  if (!/^\/(?:ex|im)ports\//.test(path)) return name;
  const kind = path.startsWith('/exports') ? 'export' : 'import';
  const ends = { result: JSON.stringify({ fileName: 'a.zip' }), error: null, created: 0, ended: null, heartbeat: null };
  const isResumed = path.endsWith('/resume');
  const done = isResumed ? 'cancelled' : 'done';
  const state = { state: kind === 'export' ? done : 'uploading', size_bytes: 3 };
  // A role that may not export missions has no archive of one.
  const clips = isResumed ? { container: 'ts', cuts: [{ sensorId: mission, inUs: 0, outUs: 1 }] } : undefined;
  const input = JSON.stringify({ missions: role === 'user' ? [] : [mission], clips });
  const row = { kind, user_id, title: '', input, storage_key: null, offset_bytes: 0, ...state, ...ends };
  const id = await idOf('tasks', row);
  await server.dependencies.storage.put(`${kind}s/${id}.zip`, [Buffer.from('zip')]);
  return id;
}

/** An address and body that the schema takes and that lead to the items. */
function request(call: Call, items: Items) {
  const { mission, sensor, user, userName, session, file, job, document, platform, other } = items;
  const { annotation, bookmark, clip } = items;
  const byPath: Record<string, string> = {
    ...{ users: user, sensors: sensor, jobs: job, documents: document, platforms: platform },
    ...{ bookmarks: bookmark, annotations: annotation, clips: clip, cases: items.case },
  };
  const ids: Record<string, string> = {
    mission,
    sensor: /^\/live\/:sensor\/(?:klv|export|exportPlan)$/.test(call.path) ? items.liveSensor : sensor,
    sensorId: sensor,
    fileId: file,
    file: `${file}.ts`,
    segment: '0.ts',
    sheet: `${other}.jpg`,
    ...{ layer: '0'.repeat(16), z: '0', x: '0', y: '0' },
    thumbnail: call.path.startsWith('/documents') ? `${document}.webp` : `${sensor}.jpg`,
    page: '1',
    partId: items.casePart,
    commentId: items.caseComment,
    exportId: items.caseExport,
    username: 'nobody',
    mmsi: '211000000',
    session: crypto.randomUUID(),
    name: call.path.startsWith('/platforms') ? platform : call.path.startsWith('/conference') ? other : BACKUP,
    version: '1',
    id: byPath[call.path.split('/')[1] ?? ''] ?? other,
  };
  const path = call.path.replace(/:(\w+)/g, (_all, key: string) => ids[key] ?? '');
  const queries: Record<string, string> = {
    '/sensors': `?missionIdOrName=${mission}`,
    'GET /clips': `?missionIdOrName=${mission}`,
    'GET /bookmarks': `?missionIdOrName=${mission}`,
    'GET /snapshots': `?missionIdOrName=${mission}`,
    '/sensors/telemetry-set/:mission/:sensor': '?time=1',
    '/sensors/exportTelemetry/:mission/:sensor': '?format=csv',
    '/sensors/clipPlan/:mission/:sensor': '?markIn=0&markOut=1',
    '/sensors/exportVideo/:mission/:sensor': '?markIn=0&markOut=1',
    'DELETE /users': `?users=${encodeURIComponent(userName)}`,
    'DELETE /usergroups': `?usergroups=${other}`,
    'DELETE /backups': `?backups=${BACKUP}`,
    '/aistargets/frame': '?west=-1&south=-1&east=1&north=1',
    '/aistargets/vessels': '?mmsi=211000000',
    '/aistargets/reports': '?west=-1&south=-1&east=1&north=1&start=0&end=1',
    '/aistargets/inframe': `?mission=${mission}`,
    '/aissources/heard': '?start=0&end=1',
    '/coverage/recordings': '?start=0&end=1',
    '/coverage/frames': '?time=0',
    'GET /places': '?search=kea',
    'GET /usergroups/only': '?usergroups=G1',
    'DELETE /sessions': `?sessions=${session}`,
    'POST /update': '?version=9.9.9',
    'POST /platforms/control': '?command=start',
    '/platforms/usergroups/:name': `?ids=${groups.G1}`,
  };
  const own = callsByItem.flatMap(({ bodies }) => Object.entries(bodies?.({ id: other, usergroup: groups.G1 }) ?? {}));
  const bodies: Record<string, unknown> = {
    ...Object.fromEntries(own),
    'PUT /users/password': { oldPassword: 'x', newPassword: 'correct horse battery' },
    'POST /credentials': { name: 'a script', days: 1 },
    'POST /second-factor': { password: 'x' },
    'PUT /second-factor': { code: '000000' },
    'POST /second-factor/recovery-codes': { code: '000000' },
    'POST /second-factor/remove': { password: 'x', code: '000000' },
    'PUT /users/:id/password': { password: 'correct horse battery' },
    'PUT /users': { users: [user] },
    'POST /users/invitations': { username: `invited ${crypto.randomUUID()}` },
    'POST /sharing/readers': {
      item: 'mission',
      securityClassification: 1,
      audience: 'groups',
      usergroups: [groups.G1],
    },
    'POST /usergroups': { name: `group ${crypto.randomUUID()}` },
    'POST /missions': { name: `n${crypto.randomUUID()}`, usergroups: [groups.G1], securityClassification: 1 },
    'PUT /missions': { _id: mission, name: 'unchanged', description: 'changed' },
    'DELETE /missions': { missions: [mission] },
    'POST /missions/restore': { missions: [mission] },
    'DELETE /bin': { missions: [mission] },
    'POST /stored/restore': { files: [byPath.stored ?? other] },
    'POST /stored/:id/accept': { reason: 'nobody needs it' },
    'POST /map/files': { upload: crypto.randomUUID() },
    'POST /retention/rules': { usergroup: groups.G1, platform: crypto.randomUUID(), days: 9000 },
    'PUT /retention/rules/:id': { usergroup: groups.G1, platform: crypto.randomUUID(), days: 9000 },
    'POST /intake/folders': { path: inboxOf(mission), securityClassification: 1, usergroups: [groups.G1] },
    'PUT /intake/folders/:id': { path: inboxOf(mission), securityClassification: 1, usergroups: [groups.G1] },
    'POST /intake/folders/:id/list': { format: 'csv', text: 'files' },
    'PUT /missions/:mission/name': { name: `renamed-${crypto.randomUUID()}` },
    'PUT /missions/:mission/hold': { reason: 'evidence of a case' },
    'POST /missions/export': { missions: [mission] },
    'POST /missions/exportList': { missions: [mission] },
    'POST /sensors/:id/shift': { shift: 1 },
    'POST /sensors/:id/files/:fileId/sidecar': { offset: 1 },
    'PUT /sensors/:id/files/:fileId/reading': { klvPid: null, clock: null },
    'POST /sensors/:id/files/:fileId/videos': { pid: 260 },
    'POST /platforms/control': { platformName: platform },
    'PUT /live/:sensor/klv': { pid: null },
    'POST /platforms': { name: `p ${crypto.randomUUID()}`, securityClassification: 1, usergroups: ['G1'] },
    'POST /platforms/source-test': { url: 'tcp://10.1.2.3' },
    'PUT /aissources/:id/place': { lat: 37, lon: 24 },
    'PUT /platforms/:id': { name: `p ${platform}`, securityClassification: 1, usergroups: ['G1'] },
    'POST /clips': { missionIdOrName: mission, sensors: [sensor], title: 'c', markIn: '0', markOut: '1' },
    'PUT /clips/:id': { title: 'changed', revision: 1 },
    'POST /clips/:id/export': {},
    'POST /sensors/exportVideo/:mission/:sensor': { markIn: '0', markOut: '1' },
    'DELETE /clips': { clips: [clip] },
    'POST /bookmarks': { missionIdOrName: mission, sensorIdOrName: sensor, title: 'b', position: 0 },
    'PUT /bookmarks/:id': { title: 'changed', revision: 1 },
    'DELETE /bookmarks': { bookmarks: [bookmark] },
    'POST /bookmarks/restore': { bookmarks: [bookmark] },
    'PUT /documents/:id': { description: 'changed' },
    'POST /documents/restore': { documents: [document] },
    'POST /snapshots': {
      ...{ missionName: mission, sensorName: sensor, title: 'new', timestamp: 1, usergroups: [groups.G1] },
      snapshotDataUrl: PICTURE,
    },
    'POST /annotations': newAnnotationBody({ usergroups: [groups.G1] }),
    'PUT /annotations/:id': { description: 'changed' },
    'DELETE /annotations': { annotations: [annotation] },
    'POST /annotations/export': { annotations: [annotation] },
    'POST /annotations/restore': { annotations: [annotation] },
    'POST /coverage/searches': {
      name: crypto.randomUUID(),
      shape: { type: 'Point', coordinates: [0, 0] },
    },
    'PUT /coverage/searches/:id': { name: crypto.randomUUID() },
    'POST /coverage/clips': { spans: [{ missionId: mission, sensorId: sensor, from: 0, to: 1 }] },
    'PUT /places/list': { fileName: 'places.csv', text: 'name,lat,lon\nKea,1,2' },
    'POST /cases': { name: 'new', usergroups: [groups.G1], securityClassification: 1 },
    'PUT /cases/:id': { description: 'changed', revision: 1 },
    'DELETE /cases': { cases: [items.case] },
    'POST /cases/restore': { cases: [items.case] },
    'PUT /cases/:id/hold': { held: true },
    'PUT /cases/:id/owner': { owner: items.nextOwner },
    'POST /cases/:id/parts': { parts: [{ kind: 'note', title: 'new', text: '' }] },
    'PUT /cases/:id/parts/:partId': { text: 'changed', revision: 1 },
    'DELETE /cases/:id/parts': { parts: [items.casePart] },
    'POST /cases/:id/parts/restore': { parts: [items.casePart] },
    'PUT /cases/:id/order': { parts: [items.casePart], revision: 1 },
    'POST /cases/:id/comments': { text: 'seen' },
    'PUT /cases/:id/comments/:commentId': { text: 'seen again' },
    'POST /conference/rooms': {
      ...{ name: `room ${crypto.randomUUID()}`, usergroups: ['Demo'], emptyTimeout: 300, maxParticipants: 2 },
    },
    'POST /conference/token': { name: other, participantName: 'x' },
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

/** PNG of one pixel. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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
    expect(stated.map(([name]) => name).sort()).toEqual(
      contractCalls()
        .map(({ name }) => name)
        .sort(),
    );
  });

  const rows = contractCalls().filter(({ name }) => table.get(name) !== anybody);
  it.each(rows.map(({ name, call }) => [name, call] as const))(
    '%s; T-022 each refusal and each change has its row of the audit',
    async (name, call) => {
      const allowed = table.get(name) as readonly Role[];
      const before = await lastRowOfAudit(db);
      const done: Role[] = [];
      for (const role of everybody) {
        // A session that the call itself ends must be one of its own.
        if (name === 'logout') continue;
        const answer = await asUser(roles[role] as Subject).inject(request(call, await items(role, call)));
        const status = answer.statusCode;

        const code = (answer.headers['content-type'] === JSON_TYPE ? answer.json() : {}).code;
        if (status < 300 && isChange(name, call)) done.push(role);
        if (!allowed.includes(role)) expect(status, role).toBe(403);
        else expect([role, status, code]).toEqual([role, ...(past[name] ?? [200, undefined])]);
      }
      const rows = await rowsAfter(before);
      const refused = name === 'logout' ? [] : everybody.filter((role) => !allowed.includes(role));
      const rowsOfRefusals = rows.filter(({ result }) => result === 'forbidden' || result === 'guestDownload');
      expect(rowsOfRefusals.map(({ actor_id, action }) => [actor_id, action])).toEqual(
        refused.map((role) => [server.userId(roles[role]), call.action]),
      );
      const changedBy = new Set(rows.filter(({ decision }) => decision === 'allowed').map(({ actor_id }) => actor_id));
      expect(done.filter((role) => !changedBy.has(server.userId(roles[role])))).toEqual([]);

      const stranger = await inject(request(call, await items('user', call)));
      expect(stranger.statusCode).toBe(401);
      expect(stranger.headers['www-authenticate']).toBeUndefined();
    },
  );

  it('leaves a row for each refusal, also of what is hidden', async () => {
    const before = await lastRowOfAudit(db);
    await asUser('U1').inject({
      method: 'POST',
      url: '/api/missions',
      payload: { name: 'x', usergroups: [groups.G1], securityClassification: 1 },
    });
    await asUser('U1').inject({ method: 'GET', url: '/api/users' });
    await asUser('U1').inject({ method: 'GET', url: `/api/missions/${crypto.randomUUID()}` });
    // The doors that the page uses for its files.
    const { sensor } = await items('user', createMission, (...kinds) => kinds.includes('sensor'));
    const pair = (name: string, text: string) => `${name} ${Buffer.from(text).toString('base64')}`;
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '10' };
    const metadata = { 'upload-metadata': `${pair('sensorId', sensor)},${pair('filename', 'a.ts')}` };
    const doors = [
      await asUser('U1').inject({ method: 'POST', url: '/api/uploads', headers: { ...tus, ...metadata } }),
      await asUser('U1').inject({ method: 'POST', url: '/api/imports', headers: tus }),
      await asUser('U1').inject({ method: 'GET', url: '/metrics' }),
    ];

    expect(doors.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
    const rows = (await rowsAfter(before)).filter(({ decision }) => decision === 'refused');
    expect(rows.map(({ action, result }) => [action, result])).toEqual([
      [createMission.action, 'forbidden'],
      ['user.list', 'forbidden'],
      ['mission.read', 'notFound'],
      ['mission.upload', 'forbidden'],
      ['mission.upload', 'forbidden'],
      ['metrics.read', 'forbidden'],
    ]);
    expect(rows.every(({ actor_id }) => actor_id === server.userId('U1'))).toBe(true);
  });

  it('reveals only to admins where things are, and to strangers no more than they need', async () => {
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
