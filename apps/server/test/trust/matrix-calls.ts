import type { Subject } from '../server.ts';
import {
  type Annotation,
  accounts,
  type Case,
  type Cell,
  type Document,
  isAdmin,
  type Mission,
  mayManage,
  type Platform,
} from './matrix-items.ts';

export type Asked = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  payload?: object | string;
  headers?: Record<string, string>;
};

/** One call of the contract over one kind of item. */
export type Rule<Item extends Cell> = {
  ask: (item: Item) => Asked;
  /** Subjects who may, of those who may read the item; left out: all of them. */
  by?: (who: Subject, item: Cell) => boolean;
  /** Roles that have the call at all: the rest is refused before an item is looked at. Left out: all. */
  callers?: (who: Subject) => boolean;
  /** Status if it is allowed; 200 when left out. */
  allowed?: number;
  /** Status for those who see the item and may not; 403 when left out. */
  refused?: 404;
  /** Where it is done it takes the item away; in the bin: it is over deleted ones. */
  needs?: 'own item' | 'item in the bin';
};

export type Rules<Item extends Cell> = Record<string, Rule<Item>>;

export const isAccount = (who: Subject): boolean => accounts.includes(who);

const get = (url: string): Asked => ({ method: 'GET', url });
export const reading = <Item extends Cell>(ask: (item: Item) => string, allowed = 200): Rule<Item> => ({
  ask: (item) => get(ask(item)),
  allowed,
});

const noStream = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  payload: '--x\r\ncontent-disposition: form-data; name="f"; filename="a.ts"\r\n\r\nnothing\r\n--x--\r\n',
};

/** By the name of the call in the contract; words after it distinguish its forms. */
export const missionRules: Rules<Mission> = {
  getMission: reading(({ id }) => `/api/missions/${id}`),
  'getMission by name': reading(({ name }) => `/api/missions/${encodeURIComponent(name)}`),
  getMissionArea: reading(({ id }) => `/api/missions/area/${id}`),
  listSensors: reading(({ id }) => `/api/sensors?missionIdOrName=${id}`),
  'listSensors by name': reading(({ name }) => `/api/sensors?missionIdOrName=${encodeURIComponent(name)}&clips=1`),
  getSensorPictures: reading(({ id, sensor }) => `/api/sensors/pictures/${id}/${sensor}`),
  getSensorSheets: reading(({ id, sensor }) => `/api/sensors/sheets/${id}/${sensor}`),
  getSensorTimeline: reading(({ id, sensor }) => `/api/sensors/timeline/${id}/${sensor}`),
  getTelemetry: reading(({ id, sensor }) => `/api/sensors/telemetry/${id}/${sensor}`),
  getTelemetrySet: reading(({ id, sensor }) => `/api/sensors/telemetry-set/${id}/${sensor}?time=1`),
  getKlvHealth: reading(({ id, sensor }) => `/api/sensors/klv-health/${id}/${sensor}`),
  getFrameCenterPoints: reading(({ id, sensor }) => `/api/sensors/framecenterpoints/${id}/${sensor}`),
  getSensorPath: reading(({ id, sensor }) => `/api/sensors/path/${id}/${sensor}`),
  getVideoList: {
    ask: ({ id, sensor }) => ({
      method: 'POST',
      url: `/api/sensors/videolist/${id}/${sensor}`,
      payload: { geometry: { type: 'Point', coordinates: [0, 0] }, aoiMode: 'sensorArea', start: 0, end: 1e6 },
    }),
  },
  listSnapshots: reading(({ id }) => `/api/snapshots?missionIdOrName=${id}`),
  getThumbnail: reading(({ id, sensor }) => `/api/videos/${id}/${sensor}.jpg`),
  getPlaylist: reading(({ sensor }) => `/api/media/${sensor}/index.m3u8`),
  getMediaFile: reading(({ sensor, file }) => `/api/media/${sensor}/${file}.ts`),
  getMediaSegment: reading(({ sensor, file }) => `/api/media/${sensor}/${file}/0.ts`),
  getSensorSheet: reading(({ sensor, sheet }) => `/api/media/${sensor}/sheets/${sheet}.jpg`),
  playSensor: { ask: ({ sensor }) => ({ method: 'POST', url: `/api/sensors/${sensor}/view` }) },
  updateMission: {
    ask: ({ id, name }) => ({ method: 'PUT', url: '/api/missions', payload: { _id: id, name, description: '' } }),
    by: mayManage,
  },
  renameMission: {
    ask: ({ id, name }) => ({ method: 'PUT', url: `/api/missions/${id}/name`, payload: { name: `${name}-2` } }),
    by: mayManage,
    needs: 'own item',
  },
  shiftSensor: {
    ask: ({ sensor }) => ({ method: 'POST', url: `/api/sensors/${sensor}/shift`, payload: { shift: 0 } }),
    by: mayManage,
  },
  setSidecar: {
    ask: ({ sensor, file }) => ({ method: 'POST', url: `/api/sensors/${sensor}/files/${file}/sidecar`, payload: {} }),
    by: mayManage,
    // 422: the file is a recording and no telemetry file. The server sees that after the check of rights.
    allowed: 422,
  },
  readFileAs: {
    ask: ({ sensor, file }) => ({
      method: 'PUT',
      url: `/api/sensors/${sensor}/files/${file}/reading`,
      payload: { klvPid: null, clock: null },
    }),
    by: mayManage,
  },
  addVideoSensor: {
    ask: ({ sensor, file }) => ({
      method: 'POST',
      url: `/api/sensors/${sensor}/files/${file}/videos`,
      payload: { pid: 260 },
    }),
    by: mayManage,
    // 422: the file holds no second video. The server sees that after the check of rights.
    allowed: 422,
  },
  deleteAsset: {
    ask: ({ sensor, file }) => ({ method: 'DELETE', url: `/api/sensors/${sensor}/files/${file}` }),
    by: mayManage,
    needs: 'own item',
  },
  uploadFiles: {
    ask: ({ id, sensor }) => ({ method: 'POST', url: `/api/missions/upload/${id}/${sensor}`, ...noStream }),
    by: mayManage,
    // 415: the bytes are no transport stream. The server sees that after the check of rights.
    allowed: 415,
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
    ask: ({ id }) => ({ method: 'PUT', url: `/api/missions/${id}/hold`, payload: { reason: 'evidence of a case' } }),
    by: isAdmin,
  },
  releaseMission: { ask: ({ id }) => ({ method: 'DELETE', url: `/api/missions/${id}/hold` }), by: isAdmin },
  deleteMissions: {
    ask: ({ id }) => ({ method: 'DELETE', url: '/api/missions', payload: { missions: [id] } }),
    by: mayManage,
    needs: 'own item',
  },
  restoreMissions: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/missions/restore', payload: { missions: [id] } }),
    by: mayManage,
    needs: 'item in the bin',
  },
  retryJob: {
    ask: ({ job }) => ({ method: 'POST', url: `/api/jobs/${job}/retry` }),
    by: mayManage,
    needs: 'own item',
  },
  cancelJob: { ask: ({ job }) => ({ method: 'DELETE', url: `/api/jobs/${job}` }), by: mayManage, needs: 'own item' },
  listBookmarks: reading(({ id }) => `/api/bookmarks?missionIdOrName=${id}`),
  createBookmark: {
    ask: ({ id, sensor }) => ({
      ...{ method: 'POST', url: '/api/bookmarks' },
      payload: { missionIdOrName: id, sensorIdOrName: sensor, title: 'b', position: 0 },
    }),
    by: isAccount,
    // A new mission of this table has no times, which is found out after the check of rights; a shift of its sensor
    // gives it some.
    allowed: 422,
    needs: 'own item',
  },
  updateBookmark: {
    ask: ({ bookmark }) => ({ method: 'PUT', url: `/api/bookmarks/${bookmark}`, payload: { text: '', revision: 1 } }),
    by: mayManage,
    needs: 'own item',
  },
  deleteBookmarks: {
    ask: ({ bookmark }) => ({ method: 'DELETE', url: '/api/bookmarks', payload: { bookmarks: [bookmark] } }),
    by: mayManage,
    needs: 'own item',
  },
  emptyBin: {
    ask: ({ id }) => ({ method: 'DELETE', url: '/api/bin', payload: { missions: [id] } }),
    callers: (who) => who === 'SA',
    needs: 'item in the bin',
  },
  listClips: reading(({ id }) => `/api/clips?missionIdOrName=${id}`),
  createClip: {
    ask: ({ id, sensor }) => ({
      ...{ method: 'POST', url: '/api/clips' },
      payload: {
        ...{ missionIdOrName: id, sensors: [sensor], title: 'c' },
        ...{ markIn: '2026-06-01T09:00:00Z', markOut: '2026-06-01T09:00:01Z' },
      },
    }),
    by: isAccount,
    allowed: 422,
  },
  updateClip: {
    ask: ({ clip }) => ({ method: 'PUT', url: `/api/clips/${clip}`, payload: { note: '', revision: 1 } }),
    by: mayManage,
    needs: 'own item',
  },
  deleteClips: {
    ask: ({ clip }) => ({ method: 'DELETE', url: '/api/clips', payload: { clips: [clip] } }),
    by: mayManage,
    needs: 'own item',
  },
  exportClip: {
    ask: ({ clip }) => ({ method: 'GET', url: `/api/clips/${clip}/export` }),
    by: isAccount,
    // Its recording is not there.
    allowed: 422,
  },
  orderClip: {
    ask: ({ clip }) => ({ method: 'POST', url: `/api/clips/${clip}/export`, payload: {} }),
    by: isAccount,
    allowed: 422,
  },
  exportTelemetry: {
    ask: ({ id, sensor }) => ({ method: 'GET', url: `/api/sensors/exportTelemetry/${id}/${sensor}?format=csv` }),
    by: isAccount,
  },
  planClip: {
    ask: ({ id, sensor }) => ({
      method: 'GET',
      url: `/api/sensors/clipPlan/${id}/${sensor}?markIn=2026-06-01T09:00:00Z&markOut=2026-06-01T09:00:01Z`,
    }),
    by: isAccount,
    allowed: 422,
  },
  exportVideo: {
    ask: ({ id, sensor }) => ({
      method: 'GET',
      url: `/api/sensors/exportVideo/${id}/${sensor}?markIn=2026-06-01T09:00:00Z&markOut=2026-06-01T09:00:01Z`,
    }),
    by: isAccount,
    // No sensor of this table holds a recording, which is found out after the check of rights.
    allowed: 422,
  },
  orderVideo: {
    ask: ({ id, sensor }) => ({
      ...{ method: 'POST', url: `/api/sensors/exportVideo/${id}/${sensor}` },
      payload: { markIn: '2026-06-01T09:00:00Z', markOut: '2026-06-01T09:00:01Z' },
    }),
    by: isAccount,
    allowed: 422,
  },
  orderFoundClips: {
    ask: ({ id, sensor }) => ({
      ...{ method: 'POST', url: '/api/coverage/clips' },
      payload: { spans: [{ missionId: id, sensorId: sensor, from: 0, to: 1e6 }] },
    }),
    by: isAccount,
    allowed: 422,
  },
};

export const documentRules: Rules<Document> = {
  getDocument: reading(({ id }) => `/api/documents/${id}`),
  getDocumentText: reading(({ id }) => `/api/documents/${id}/text`),
  getDocumentThumbnail: reading(({ id }) => `/api/documents/thumbnails/${id}.webp`),
  // A text has no pictures that move, which is said to those who may read it.
  getDocumentVideo: reading(({ id }) => `/api/documents/${id}/video`, 422),
  getDocumentPlaylist: reading(({ id }) => `/api/documents/${id}/video.m3u8`, 422),
  downloadDocument: { ask: ({ id }) => get(`/api/documents/${id}/content`), by: isAccount },
  createDocumentToken: { ask: ({ id }) => ({ method: 'POST', url: `/api/documents/${id}/token` }), by: isAccount },
  updateDocument: {
    ask: ({ id }) => ({ method: 'PUT', url: `/api/documents/${id}`, payload: { description: '' } }),
    by: isAccount,
  },
  deleteDocument: {
    ask: ({ id }) => ({ method: 'DELETE', url: `/api/documents/${id}` }),
    by: isAccount,
    needs: 'own item',
  },
  restoreDocuments: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/documents/restore', payload: { documents: [id] } }),
    // The account that deleted it, or an admin; a superAdmin did.
    by: isAdmin,
    callers: isAccount,
    refused: 404,
    needs: 'item in the bin',
  },
};

/** The annotation has another author; accounts without an admin role share a usergroup with it. */
const mayEdit = (who: Subject, { relation }: Cell): boolean =>
  isAdmin(who) || who === 'GA' || (isAccount(who) && relation !== 'everyone');

export const annotationRules: Rules<Annotation> = {
  listAnnotations: reading(({ id }) => `/api/annotations?id=${id}`),
  updateAnnotation: {
    ask: ({ id }) => ({ method: 'PUT', url: `/api/annotations/${id}`, payload: { description: '' } }),
    by: mayEdit,
  },
  deleteAnnotation: {
    ask: ({ id }) => ({ method: 'DELETE', url: `/api/annotations/${id}` }),
    by: mayEdit,
    needs: 'own item',
  },
  deleteAnnotations: {
    ask: ({ id }) => ({ method: 'DELETE', url: '/api/annotations', payload: { annotations: [id] } }),
    by: mayEdit,
    callers: isAccount,
    needs: 'own item',
  },
  exportAnnotations: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/annotations/export', payload: { annotations: [id] } }),
    callers: isAccount,
  },
  restoreAnnotations: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/annotations/restore', payload: { annotations: [id] } }),
    // The account that deleted it, or an admin; a superAdmin did.
    by: isAdmin,
    callers: isAccount,
    refused: 404,
    needs: 'item in the bin',
  },
};

/** The case has another owner, and no editors. */
export const caseRules: Rules<Case> = {
  getCase: reading(({ id }) => `/api/cases/${id}`),
  listCaseParts: reading(({ id }) => `/api/cases/${id}/parts`),
  listCaseComments: reading(({ id }) => `/api/cases/${id}/comments`),
  listCaseExports: reading(({ id }) => `/api/cases/${id}/exports`),
  planCaseExport: { ...reading(({ id }) => `/api/cases/${id}/exports/plan`), by: isAccount },
  listCasePeople: { ...reading(({ id }) => `/api/cases/${id}/people`), by: isAdmin },
  updateCase: {
    ask: ({ id }) => ({ method: 'PUT', url: `/api/cases/${id}`, payload: { description: '', revision: 1 } }),
    by: isAdmin,
    needs: 'own item',
  },
  deleteCases: {
    ask: ({ id }) => ({ method: 'DELETE', url: '/api/cases', payload: { cases: [id] } }),
    by: isAdmin,
    callers: isAccount,
    needs: 'own item',
  },
  restoreCases: {
    ask: ({ id }) => ({ method: 'POST', url: '/api/cases/restore', payload: { cases: [id] } }),
    // The account that deleted it, or an admin; a superAdmin did.
    by: isAdmin,
    callers: isAccount,
    refused: 404,
    needs: 'item in the bin',
  },
  holdCase: {
    ask: ({ id }) => ({ method: 'PUT', url: `/api/cases/${id}/hold`, payload: { held: true } }),
    by: isAdmin,
  },
  handOverCase: {
    ask: ({ id, nextOwner }) => ({ method: 'PUT', url: `/api/cases/${id}/owner`, payload: { owner: nextOwner } }),
    by: isAdmin,
    needs: 'own item',
  },
  addCaseParts: {
    ask: ({ id }) => ({
      ...{ method: 'POST', url: `/api/cases/${id}/parts` },
      payload: { parts: [{ kind: 'note', title: 'n', text: '' }] },
    }),
    by: isAdmin,
  },
  updateCasePart: {
    ask: ({ id, part }) => ({
      ...{ method: 'PUT', url: `/api/cases/${id}/parts/${part}`, payload: { text: 'changed', revision: 1 } },
    }),
    by: isAdmin,
    needs: 'own item',
  },
  removeCaseParts: {
    ask: ({ id, part }) => ({ method: 'DELETE', url: `/api/cases/${id}/parts`, payload: { parts: [part] } }),
    by: isAdmin,
    needs: 'own item',
  },
  orderCaseParts: {
    ask: ({ id, part }) => ({
      ...{ method: 'PUT', url: `/api/cases/${id}/order`, payload: { parts: [part], revision: 1 } },
    }),
    by: isAdmin,
    needs: 'own item',
  },
  addCaseComment: {
    ask: ({ id }) => ({ method: 'POST', url: `/api/cases/${id}/comments`, payload: { text: 'seen' } }),
    by: isAccount,
  },
};

const offer = { headers: { 'content-type': 'application/sdp' }, payload: 'v=0' };

export const platformRules: Rules<Platform> = {
  getPlatformConfig: { ...reading(({ id }) => `/api/platforms/${id}/config`), callers: isAdmin },
  controlPlatform: {
    ask: ({ name }) => ({
      ...{ method: 'POST', url: '/api/platforms/control?command=stop' },
      payload: { platformName: name },
    }),
    by: mayManage,
  },
  chooseLiveKlv: {
    ask: ({ sensor }) => ({ method: 'PUT', url: `/api/live/${sensor}/klv`, payload: { pid: null } }),
    by: mayManage,
  },
  // Nothing streams and no recorder runs, which is found out after the check of rights.
  openWhep: { ask: ({ sensor }) => ({ method: 'POST', url: `/api/live/${sensor}/whep`, ...offer }), allowed: 422 },
  // Nothing of it is kept, which is found out after the check of rights.
  exportLive: { ...reading(({ sensor }) => `/api/live/${sensor}/export`, 422), by: isAccount },
  planLiveExport: { ...reading(({ sensor }) => `/api/live/${sensor}/exportPlan`), by: isAccount },
  updatePlatform: {
    ask: ({ id, name, label, relation }) => ({
      ...{ method: 'PUT', url: `/api/platforms/${id}` },
      payload: {
        ...{ name, securityClassification: label, audience: relation === 'everyone' ? 'everyone' : 'groups' },
        ...{ usergroups: relation === 'everyone' || relation === 'nobody' ? [] : relation.split(' and ') },
      },
    }),
    callers: isAdmin,
  },
  deletePlatform: {
    ask: ({ id }) => ({ method: 'DELETE', url: `/api/platforms/${id}` }),
    callers: isAdmin,
    needs: 'own item',
  },
};

/** Calls over items without a file in `own-calls` whose cases are elsewhere, or that name none. */
export const elsewhere: Record<string, string> = {
  getDocumentPage: 'draws a page behind the door that the text asks too (documents tests)',
  listMissions: 'lists and counts',
  getLookback: 'spans of those that may be read (coverage tests)',
  getLastSeenTile: 'cells that those that may be read saw (coverage tests)',
  getSeenExtent: 'a box around the ground of those that may be read (coverage tests)',
  getCoverageState: 'counts those that may be read (coverage tests)',
  listRecordings: 'lists those that may be read (coverage tests)',
  listFrames: 'frames of those that may be read (coverage tests)',
  countByPlace: 'as findByPlace',
  findByPlace: 'spans of those that may be read (coverage tests)',
  createMission: 'names none yet: the wanted label and groups are judged (missions tests)',
  listDocuments: 'lists and counts',
  listDocumentBin: 'lists and counts',
  createSnapshot: 'names none yet: mission, wanted label and groups are judged (snapshots tests)',
  getSnapshotMoment: 'the frame of a snapshot alone; its right is asked for as that of getDocument (snapshots tests)',
  createDocument: 'names none yet: the wanted label and groups are judged (documents tests)',
  listAnnotationBin: 'lists and counts',
  importAnnotations: 'reads a file and makes nothing (annotations import tests)',
  createAnnotation: 'names none yet: the wanted label and groups are judged (annotations tests)',
  listCases: 'lists and counts',
  listCaseBin: 'lists and counts',
  createCase: 'names none yet: the wanted label and groups are judged (cases tests)',
  restoreCaseParts: 'the other way round of removeCaseParts, through the same door (cases tests)',
  updateCaseComment: 'of a comment of one’s own (cases tests)',
  strikeCaseComment: 'the same',
  exportCase: 'through the door of planCaseExport; of one user two at a time (case exports tests)',
  releaseCaseExport: 'of a version, shown to who may read each of its parts (case exports tests)',
  downloadCaseExport: 'the same',
  removeCaseExport: 'the same',
  listSigningKeys: 'names none',
  listPlatforms: 'lists and counts',
  setReceiverPlace: 'of a receiver that the admin sees (ranges tests)',
  createPlatform: 'names none yet: the wanted label and groups are judged (platforms tests)',
  testSource: 'names none: an address that is not saved (source tests)',
  setPlatformUsergroups: 'changes the audience itself (platforms tests)',
  setPlatformUsergroupsByPost: 'the same as PUT',
  getPlatformsConfigFile: 'one file of all that the admin is cleared for (platforms tests)',
  uploadPlatformsConfig: 'one file (platforms tests)',
  listPlatformVersions: 'whole files (platforms tests)',
  restorePlatformVersion: 'whole files (platforms tests)',
  getLivePlaylist: 'waits for a stream behind the door that openWhep asks too (live rights tests)',
  getLiveFile: 'the same',
  closeWhep: 'a session of one’s own, with a running stream (WHEP tests)',
  restoreBookmarks: 'the other way round of deleteBookmarks, through the same door (bookmarks tests)',
  listBin: 'lists and counts',
  listImports: 'tasks of one’s own (imports tests)',
  removeImport: 'a task of one’s own (imports tests)',
  listJobs: 'lists and counts',
  listRooms: 'the label of a room is that of its usergroups (conference tests)',
  createRoom: 'the same',
  deleteRoom: 'the same',
  createConferenceToken: 'the same',
};
