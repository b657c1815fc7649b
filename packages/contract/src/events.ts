import { z } from 'zod';
import { conferencesCountEvent } from './conferences-count.ts';
import { id } from './core/call.ts';
import { defineEvent, type EventDefinition } from './core/event.ts';
import { type AnnouncedItemName, type ItemTable, itemNouns, items } from './items.ts';
import { aisEvent, aisFrameEvent, livePositionEvent, recorderEvent, streamMonitorEvent } from './live-events.ts';
import { searchHitEvent } from './search-hits.ts';

const ids = z.object({ ids: z.array(id) });

/** The changed event of each item of a table that has one, by singular noun; it carries the ids of what changed. */
export function changedEventsOf(table: ItemTable): Record<string, EventDefinition<typeof ids>> {
  const announced = Object.entries(table).flatMap(([name, { event }]) =>
    event === undefined ? [] : [[name, defineEvent({ name: event, kind: 'changed', payload: ids })] as const],
  );
  return Object.fromEntries(announced);
}

export const changedEvents = changedEventsOf(items) as Record<AnnouncedItemName, EventDefinition<typeof ids>>;
export const missionsEvent = changedEvents.mission;
/** Missions being recorded that saw new ground, or flew on. */
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

/** The event `revoked` over the items of these nouns. */
export const revokedEventOf = <Noun extends string>(nouns: readonly Noun[]) =>
  defineEvent({
    name: 'revoked',
    kind: 'changed',
    payload: z.object({
      noun: z.enum([...nouns, 'session']),
      ids: z.array(id),
      /** Too many to be named: the client drops all items of this kind and asks again for those on screen. */
      all: z.literal(true).optional(),
    }),
  });

/** Rights to these are gone: drop them from lists, caches, players and maps at once. */
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
    /** Percent of this step, 0 to 100. */
    progress: z.number().nullable(),
    /** upload_progress: bytes taken and expected. */
    bytes: z.int().nullable(),
    totalBytes: z.int().nullable(),
    /** areaCalculation: `start`, then `done` with the area in sq. km. */
    phase: z.enum(['start', 'done']).nullable(),
    areaSqKm: z.number().nullable(),
    /** A sentence for the user, where the kind is `error`. */
    text: z.string().nullable(),
  }),
});
export type MissionUpdate = z.output<typeof missionUpdateEvent.payload>;

/** Server state: sent once after connecting, and before the server goes down. */
export const stateEvent = defineEvent({
  name: 'state',
  kind: 'flow',
  payload: z.object({ state: z.enum(['Online', 'Offline']), serverStartTime: z.int() }),
});

/** The configuration changed: ask GET info again. */
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

/** The licence is no longer valid: an alert on every page. */
export const demoExpiredEvent = defineEvent({ name: 'demoexpired', kind: 'flow', payload: z.object({}) });

/** A sign-in was refused because too many accounts are signed in; sent to superAdmin and admin. */
export const concurrentUsersEvent = defineEvent({
  name: 'concurrent_users_limit_reached',
  kind: 'flow',
  payload: z.object({ message: z.string() }),
});

/** Something about the backups changed: ask again. Sent to superAdmin and admin. */
export const backupsEvent = defineEvent({ name: 'backups', kind: 'changed', payload: z.object({}) });

/** A backup could not be made or is not whole; sent to superAdmin and admin, shown until answered. */
export const backupFailedEvent = defineEvent({
  name: 'backup_failed',
  kind: 'flow',
  payload: z.object({ name: z.string(), text: z.string() }),
});

/** Map layers of the site were added or removed: ask GET mapconfig again. */
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

/** Events of clients. Identity comes from the ticket alone; these carry display hints and wishes. */
export const updateConnectedUser = z.object({ status: z.string().max(64) });
export const liveStreamEvents = z.object({
  command: z.enum(['subscribe', 'unsubscribe']),
  channel: z.string().max(128).optional(),
});
