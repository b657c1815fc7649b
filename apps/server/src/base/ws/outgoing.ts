import { setTimeout } from 'node:timers/promises';
import { type ItemNoun, type MissionUpdate, missionUpdateEvent, type PartNoun, searchHitEvent } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../access/as-system.ts';
import { isDatabaseAway } from '../db/away.ts';
import { EVENTS_CHANNEL } from '../db/notices.ts';
import type { Database } from '../db/schema.ts';

const IDS_PER_NOTICE = 150;
/** A notice of PostgreSQL holds 8000 bytes. */
const TEXT_MAX = 1500;

export type ChangedNoun = ItemNoun | PartNoun | 'users' | 'usergroups';

/** Asks open pages to read rows again. Call it after the commit. */
export type Changed = (noun: ChangedNoun, ids: readonly string[]) => void;

/** Sends a mission's progress to open pages; may be dropped. */
export type Flow = (update: MissionUpdate) => void;

/** Notifies the sender of a file that it failed. */
export type FileFailed = (failure: { user: string; mission: string; text: string }) => void;

/** A hit of a saved search, as its owner gets it. */
export type SearchHitFound = z.output<typeof searchHitEvent.payload>;

/** An event as it travels between the processes. */
export const outgoing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), noun: z.string(), ids: z.array(z.string()) }),
  z.object({ kind: z.literal('flow'), update: missionUpdateEvent.payload }),
  z.object({ kind: z.literal('info') }),
  z.object({ kind: z.literal('mapLayers') }),
  z.object({ kind: z.literal('demoExpired') }),
  z.object({ kind: z.literal('concurrentUsers'), message: z.string() }),
  z.object({ kind: z.literal('message'), user: z.string(), text: z.string() }),
  /** To the account that sent the file, as long as it sees the mission. */
  z.object({ kind: z.literal('fileFailed'), user: z.string(), mission: z.string(), text: z.string() }),
  /** To the owner of the search, as long as they may read the mission. */
  z.object({ kind: z.literal('searchHit'), user: z.string(), hit: searchHitEvent.payload }),
  z.object({ kind: z.literal('backups') }),
  z.object({ kind: z.literal('backupFailed'), name: z.string(), text: z.string() }),
]);
export type Outgoing = z.output<typeof outgoing>;

export type EventSender = {
  changed: Changed;
  flow: Flow;
  fileFailed: FileFailed;
  /** The configuration changed. */
  infoChanged: () => void;
  /** Map layers of the site came or went. */
  mapLayersChanged: () => void;
  demoExpired: () => void;
  concurrentUsers: (message: string) => void;
  /** A whole sentence for the open pages of one account. */
  message: (userId: string, text: string) => void;
  searchHit: (userId: string, hit: SearchHitFound) => void;
  /** Backups or their progress changed. */
  backupsChanged: () => void;
  backupFailed: (name: string, text: string) => void;
  /** At the end: resolves when everything said so far is on its way, or was tried once more. */
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

/** Sends a changed event when the transaction of the change commits. */
export const changedIn = (tx: Db, noun: ChangedNoun, ids: readonly string[]): Promise<void> =>
  notifyAll(tx, changedEvents(noun, ids));

/** Rows in one statement: each notice is at most 8000 bytes. */
const AT_ONCE = 100;
/** A database that is away for longer takes the listening connection with it: then every page reads all again. */
const TRIES_MS = [100, 400, 1500, 3000, 5000, 5000];
/** More than this wait only while the database does not answer. */
const WAITING_MAX = 10_000;

/** Does not hold up the end of the process. */
const waitUnheld = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

export type EventSenderDeps = {
  db: Kysely<Database>;
  log: { warn: (fields: object, text: string) => void };
  /** Waits `ms` milliseconds; a test replaces it. */
  wait?: (ms: number) => Promise<void>;
};

/**
 * Sends events to the sockets of every api process, from whichever process this is, in their order. One that a busy
 * database did not take is sent again: a page that missed it would show for good what is no longer so.
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
      const batch = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
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

  /** One that the database refuses takes no other with it. */
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
