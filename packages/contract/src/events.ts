import { z } from 'zod';
import { conferencesCountEvent } from './conferences-count.ts';
import { id } from './core/call.ts';
import { defineEvent, type EventDefinition } from './core/event.ts';
import { type AnnouncedItemName, type ItemTable, itemNouns, items } from './items.ts';
import { aisEvent, aisFrameEvent, livePositionEvent, recorderEvent, streamMonitorEvent } from './live-events.ts';
import { searchHitEvent } from './search-hits.ts';

const ids = z.object({ ids: z.array(id) });

/**
 * Returns the `changed` events of those items in a table that have one, by singular noun. They contain the ids of the
 * changed items.
 */
export function changedEventsOf(table: ItemTable): Record<string, EventDefinition<typeof ids>> {
  const announced = Object.entries(table).flatMap(([name, { event }]) =>
    event === undefined ? [] : [[name, defineEvent({ name: event, kind: 'changed', payload: ids })] as const],
  );
  return Object.fromEntries(announced);
}

export const changedEvents = changedEventsOf(items) as Record<AnnouncedItemName, EventDefinition<typeof ids>>;
export const missionsEvent = changedEvents.mission;
/** Missions being recorded whose seen ground or flight path grew. */
export const groundEvent = changedEvents.ground;
export const usersEvent = defineEvent({ name: 'users', kind: 'changed', payload: ids });
export const usergroupsEvent = defineEvent({ name: 'usergroups', kind: 'changed', payload: ids });
export const platformsEvent = changedEvents.platform;
export const updateDocumentsEvent = changedEvents.document;
export const shipListsEvent = changedEvents.shiplist;
export const updateAnnotationsEvent = changedEvents.annotation;
/** Annotations that were moved to the bin. Clients that lost the right to read them get `revoked`. */
export const deleteAnnotationsEvent = defineEvent({
  name: items.annotation.deletedEvent,
  kind: 'changed',
  payload: ids,
});

/** Returns the event `revoked` for items of these nouns. */
export const revokedEventOf = <Noun extends string>(nouns: readonly Noun[]) =>
  defineEvent({
    name: 'revoked',
    kind: 'changed',
    payload: z.object({
      noun: z.enum([...nouns, 'session']),
      ids: z.array(id),
      /** There are too many to list: the client drops all items of this kind and reloads those on screen. */
      all: z.literal(true).optional(),
    }),
  });

/**
 * The right to read these items was lost; clients must immediately remove them from lists, caches, players and maps.
 */
export const revokedEvent = revokedEventOf(itemNouns);

export const missionUpdateTypes = [
  'upload_progress',
  'hlsDetection',
  'extractingArchive',
  'hlsProcessing',
  'hlsProcessingComplete',
  'ingest_start',
  'ingest_progress',
  'ingest_complete',
  'areaCalculation',
  'error',
] as const;

export const missionUpdateEvent = defineEvent({
  name: 'mission_update',
  kind: 'flow',
  payload: z.object({
    type: z.enum(missionUpdateTypes),
    mission: id,
    missionName: z.string(),
    sensor: id.nullable(),
    sensorName: z.string().nullable(),
    /** Progress of this step in percent, 0 to 100. */
    progress: z.number().nullable(),
    /** Bytes received and expected, for upload_progress. */
    bytes: z.int().nullable(),
    totalBytes: z.int().nullable(),
    /** areaCalculation: `start`, then `done` with the area in sq. km. */
    phase: z.enum(['start', 'done']).nullable(),
    areaSqKm: z.number().nullable(),
    /** Sentence for the user, if the type is `error`. */
    text: z.string().nullable(),
  }),
});
export type MissionUpdate = z.output<typeof missionUpdateEvent.payload>;

/** State of the server, sent once after connecting, and before the server shuts down. */
export const stateEvent = defineEvent({
  name: 'state',
  kind: 'flow',
  payload: z.object({ state: z.enum(['Online', 'Offline']), serverStartTime: z.int() }),
});

/** The configuration changed, so clients must reload GET info. */
export const infoEvent = defineEvent({ name: 'info', kind: 'changed', payload: z.object({}) });

/** Number of accounts that are signed in with an open page; `null` if the reader may not know. */
export const onlineUsersEvent = defineEvent({
  name: 'onlineUsers',
  kind: 'flow',
  payload: z.object({ onlineUsers: z.int() }),
});

/** Shown as "Server error: {text}." */
export const errorEvent = defineEvent({ name: 'error', kind: 'flow', payload: z.object({ text: z.string() }) });

/** Shown as "Server message: {text}." */
export const messageEvent = defineEvent({ name: 'message', kind: 'flow', payload: z.object({ text: z.string() }) });

/** The licence is no longer valid; clients show an alert on every page. */
export const demoExpiredEvent = defineEvent({ name: 'demoexpired', kind: 'flow', payload: z.object({}) });

/** A sign-in was refused because too many accounts are signed in; sent to superAdmin and admin. */
export const concurrentUsersEvent = defineEvent({
  name: 'concurrent_users_limit_reached',
  kind: 'flow',
  payload: z.object({ message: z.string() }),
});

/** The backups changed, so clients must reload them. Sent to superAdmin and admin. */
export const backupsEvent = defineEvent({ name: 'backups', kind: 'changed', payload: z.object({}) });

/** A backup could not be made or is not complete; sent to superAdmin and admin, and shown until the user closes it. */
export const backupFailedEvent = defineEvent({
  name: 'backup_failed',
  kind: 'flow',
  payload: z.object({ name: z.string(), text: z.string() }),
});

/** Map layers of the site were added or removed, so clients must reload GET mapconfig. */
export const mapLayersEvent = defineEvent({ name: 'mapLayers', kind: 'changed', payload: z.object({}) });

export const serverEvents = [
  ...Object.values(changedEvents),
  deleteAnnotationsEvent,
  usersEvent,
  usergroupsEvent,
  revokedEvent,
  missionUpdateEvent,
  stateEvent,
  infoEvent,
  mapLayersEvent,
  onlineUsersEvent,
  errorEvent,
  messageEvent,
  demoExpiredEvent,
  concurrentUsersEvent,
  backupsEvent,
  backupFailedEvent,
  streamMonitorEvent,
  recorderEvent,
  livePositionEvent,
  aisEvent,
  conferencesCountEvent,
  aisFrameEvent,
  searchHitEvent,
] as const;

/**
 * Events sent by clients. The identity comes only from the ticket; these events contain display hints and
 * subscriptions.
 */
export const updateConnectedUser = z.object({ status: z.string().max(64) });
export const liveStreamEvents = z.object({
  command: z.enum(['subscribe', 'unsubscribe']),
  channel: z.string().max(128).optional(),
});
