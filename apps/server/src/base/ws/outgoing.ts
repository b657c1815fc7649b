import { setTimeout } from 'node:timers/promises';
import { type ItemNoun, type MissionUpdate, missionUpdateEvent, type PartNoun, searchHitEvent } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../access/as-system.ts';
import { isDatabaseAway } from '../db/away.ts';
import { EVENTS_CHANNEL } from '../db/notices.ts';
import type { Database } from '../db/schema.ts';

const IDS_PER_NOTICE = 150;
/** Maximum length of a text in an event, in characters. A PostgreSQL notice is limited to 8000 bytes. */
const TEXT_MAX = 1500;

export type ChangedNoun = ItemNoun | PartNoun | 'users' | 'usergroups';

/** Asks open pages to read rows again. Call it after the commit. */
export type Changed = (noun: ChangedNoun, ids: readonly string[]) => void;

/** Sends a mission's progress to open pages; may be dropped. */
export type Flow = (update: MissionUpdate) => void;

/** Notifies the user who uploaded a file that its processing failed. */
export type FileFailed = (failure: { user: string; mission: string; text: string }) => void;

/** A hit of a saved search, as its owner gets it. */
export type SearchHitFound = z.output<typeof searchHitEvent.payload>;

/** An event in the form in which it is sent between processes. */
export const outgoing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), noun: z.string(), ids: z.array(z.string()) }),
  z.object({ kind: z.literal('flow'), update: missionUpdateEvent.payload }),
  z.object({ kind: z.literal('info') }),
  z.object({ kind: z.literal('mapLayers') }),
  z.object({ kind: z.literal('demoExpired') }),
  z.object({ kind: z.literal('concurrentUsers'), message: z.string() }),
  z.object({ kind: z.literal('message'), user: z.string(), text: z.string() }),
  /** For the account that uploaded the file, as long as it may see the mission. */
  z.object({ kind: z.literal('fileFailed'), user: z.string(), mission: z.string(), text: z.string() }),
  /** For the owner of the search, as long as they may read the mission. */
  z.object({ kind: z.literal('searchHit'), user: z.string(), hit: searchHitEvent.payload }),
  z.object({ kind: z.literal('backups') }),
  z.object({ kind: z.literal('backupFailed'), name: z.string(), text: z.string() }),
]);
export type Outgoing = z.output<typeof outgoing>;

export type EventSender = {
  changed: Changed;
  flow: Flow;
  fileFailed: FileFailed;
  /** Reports that the configuration changed. */
  infoChanged: () => void;
  /** Reports that map layers of the site were added or removed. */
  mapLayersChanged: () => void;
  demoExpired: () => void;
  concurrentUsers: (message: string) => void;
  /** Sends a complete sentence to the open pages of one account. */
  message: (userId: string, text: string) => void;
  searchHit: (userId: string, hit: SearchHitFound) => void;
  /** Backups or their progress changed. */
  backupsChanged: () => void;
  backupFailed: (name: string, text: string) => void;
  /** Call it at shutdown. Resolves when all events so far have been sent, or tried once more. */
  drain: () => Promise<void>;
};

async function notifyAll(db: Db, events: readonly Outgoing[]): Promise<void> {
  const texts = events.map((event) => JSON.stringify(event));
  await sql`select pg_notify(${EVENTS_CHANNEL}, text) from unnest(${texts}::text[]) with ordinality as told(text, place)
    order by place`.execute(db);
}

const changedEvents = (noun: ChangedNoun, ids: readonly string[]): Outgoing[] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_NOTICE) }, (_none, part) => ({
    kind: 'changed',
    noun,
    ids: ids.slice(part * IDS_PER_NOTICE, (part + 1) * IDS_PER_NOTICE),
  }));

/** Sends a changed event, which is delivered when the given transaction commits. */
export const changedIn = (tx: Db, noun: ChangedNoun, ids: readonly string[]): Promise<void> =>
  notifyAll(tx, changedEvents(noun, ids));

/** Maximum number of events in one statement. Each notice is at most 8000 bytes long. */
const EVENTS_PER_STATEMENT = 100;
/**
 * Delays before further attempts, in milliseconds. A database that is unavailable for longer also breaks the listening
 * connection, after which every page reads everything again.
 */
const TRIES_MS = [100, 400, 1500, 3000, 5000, 5000];
/** Maximum number of waiting events. More wait only while the database does not respond. */
const WAITING_MAX = 10_000;

/** Waits without keeping the process alive. */
const waitUnheld = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

export type EventSenderDeps = {
  db: Kysely<Database>;
  log: { warn: (fields: object, text: string) => void };
  /** Waits for `ms` milliseconds; tests replace it. */
  wait?: (ms: number) => Promise<void>;
};

/**
 * Sends events from any process to the sockets of all api processes, in order. An event that a busy database did not
 * accept is sent again, since a page that missed it would permanently show outdated data.
 */
export function eventSender({ db, log, wait = waitUnheld }: EventSenderDeps): EventSender {
  let waiting: Outgoing[] = [];
  let working: Promise<void> | null = null;
  let isEnding = false;
  const ending = Promise.withResolvers<void>();

  function send(event: Outgoing): void {
    if (waiting.length < WAITING_MAX) waiting.push(event);
    else log.warn({ kind: event.kind }, 'event not sent: too many wait');
    working ??= work();
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, EVENTS_PER_STATEMENT);
      waiting = waiting.slice(EVENTS_PER_STATEMENT);
      await notify(batch);
    }
    working = null;
  }

  async function notify(batch: readonly Outgoing[]): Promise<void> {
    for (const waitMs of [...TRIES_MS, null]) {
      try {
        return await notifyAll(db, batch);
      } catch (error) {
        if (waitMs === null || isEnding || !isDatabaseAway(error)) return apart(batch, error);
        await Promise.race([wait(waitMs), ending.promise]);
      }
    }
  }

  /**
   * Sends the events of a failed batch one by one, so that an event refused by the database does not prevent the
   * others.
   */
  async function apart(batch: readonly Outgoing[], error: unknown): Promise<void> {
    if (batch.length === 1 || isDatabaseAway(error)) {
      return log.warn({ error, kinds: batch.map(({ kind }) => kind) }, 'event not sent');
    }
    for (const event of batch) await notify([event]);
  }

  return {
    changed(noun, ids) {
      for (const event of changedEvents(noun, ids)) send(event);
    },
    flow: (update) => send({ kind: 'flow', update: { ...update, text: update.text?.slice(0, TEXT_MAX) ?? null } }),
    fileFailed: (failure) => send({ kind: 'fileFailed', ...failure, text: failure.text.slice(0, TEXT_MAX) }),
    infoChanged: () => send({ kind: 'info' }),
    mapLayersChanged: () => send({ kind: 'mapLayers' }),
    demoExpired: () => send({ kind: 'demoExpired' }),
    concurrentUsers: (message) => send({ kind: 'concurrentUsers', message }),
    message: (user, text) => send({ kind: 'message', user, text: text.slice(0, TEXT_MAX) }),
    searchHit: (user, hit) => send({ kind: 'searchHit', user, hit }),
    backupsChanged: () => send({ kind: 'backups' }),
    backupFailed: (name, text) => send({ kind: 'backupFailed', name, text: text.slice(0, TEXT_MAX) }),
    async drain() {
      isEnding = true;
      ending.resolve();
      await working;
    },
  };
}
