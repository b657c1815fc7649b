import { type AccessFacts, classificationWord, type MissionUpdate, missionUpdateEvent } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../access/visibility.ts';
import { EVENTS_CHANNEL } from '../db/notices.ts';
import type { Database } from '../db/schema.ts';

const IDS_PER_NOTICE = 150;
/** A notice of PostgreSQL holds 8000 bytes. */
const TEXT_MAX = 1500;

export const changedNouns = ['missions', 'documents', 'users', 'usergroups'] as const;
export type ChangedNoun = (typeof changedNouns)[number];

/** Tells open pages which rows to ask for again. Call it after the commit. */
export type Changed = (noun: ChangedNoun, ids: readonly string[]) => void;

/** Tells open pages how a mission's processing goes on; may be dropped. */
export type Flow = (update: MissionUpdate) => void;

/** Tells whoever sent a file that it failed. */
export type FileFailed = (failure: { user: string; mission: string; text: string }) => void;

/** Platforms that changed, with what their rights were before; null for new ones. */
export type PlatformsChanged = (items: readonly ChangedPlatform[]) => void;
type ChangedPlatform = { id: string; was: Omit<AccessFacts, 'draft'> | null };

const platformFacts = z.object({
  securityClassification: classificationWord,
  audience: z.enum(['everyone', 'groups']),
  usergroups: z.array(z.string()),
});

/** As it travels between the processes. */
export const outgoing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), noun: z.enum(changedNouns), ids: z.array(z.string()) }),
  z.object({ kind: z.literal('flow'), update: missionUpdateEvent.payload }),
  z.object({
    kind: z.literal('platforms'),
    id: z.string(),
    was: platformFacts.nullable(),
  }),
  z.object({ kind: z.literal('info') }),
  z.object({ kind: z.literal('demoExpired') }),
  z.object({ kind: z.literal('concurrentUsers'), message: z.string() }),
  z.object({ kind: z.literal('message'), user: z.string(), text: z.string() }),
  /** To the account that sent the file, as long as it sees the mission. */
  z.object({ kind: z.literal('fileFailed'), user: z.string(), mission: z.string(), text: z.string() }),
  z.object({ kind: z.literal('backups') }),
  z.object({ kind: z.literal('backupFailed'), name: z.string(), text: z.string() }),
]);
export type Outgoing = z.output<typeof outgoing>;

export type EventSender = {
  changed: Changed;
  flow: Flow;
  fileFailed: FileFailed;
  platformsChanged: PlatformsChanged;
  /** The configuration changed. */
  infoChanged: () => void;
  demoExpired: () => void;
  concurrentUsers: (message: string) => void;
  /** A whole sentence for the open pages of one account. */
  message: (userId: string, text: string) => void;
  /** Backups or their progress changed. */
  backupsChanged: () => void;
  backupFailed: (name: string, text: string) => void;
  /** Resolves when everything said so far is on its way. */
  drain: () => Promise<void>;
};

async function notify(db: Db, event: Outgoing): Promise<void> {
  await sql`select pg_notify(${EVENTS_CHANNEL}, ${JSON.stringify(event)})`.execute(db);
}

/** Each alone: one may be shared with two hundred groups. */
const platformEvent = ({ id, was }: ChangedPlatform): Outgoing => ({
  kind: 'platforms',
  id,
  was: was && platformFacts.parse(was),
});

/** With the commit of a change that takes rights from accounts too: who is told had them until then. */
export async function platformsChangedIn(tx: Db, items: readonly ChangedPlatform[]): Promise<void> {
  for (const item of items) await notify(tx, platformEvent(item));
}

/** Sends events to the sockets of every api process, from whichever process this is. */
export function eventSender(deps: {
  db: Kysely<Database>;
  log: { warn: (fields: object, text: string) => void };
}): EventSender {
  const pending = new Set<Promise<void>>();

  function send(event: Outgoing): void {
    const sent = notify(deps.db, event).catch((error) => deps.log.warn({ error }, 'event not sent'));
    pending.add(sent);
    void sent.finally(() => pending.delete(sent));
  }

  return {
    changed(noun, ids) {
      for (let start = 0; start < ids.length; start += IDS_PER_NOTICE) {
        send({ kind: 'changed', noun, ids: ids.slice(start, start + IDS_PER_NOTICE) });
      }
    },
    flow: (update) => send({ kind: 'flow', update: { ...update, text: update.text?.slice(0, TEXT_MAX) ?? null } }),
    fileFailed: (failure) => send({ kind: 'fileFailed', ...failure, text: failure.text.slice(0, TEXT_MAX) }),
    platformsChanged(items) {
      for (const item of items) send(platformEvent(item));
    },
    infoChanged: () => send({ kind: 'info' }),
    demoExpired: () => send({ kind: 'demoExpired' }),
    concurrentUsers: (message) => send({ kind: 'concurrentUsers', message }),
    message: (user, text) => send({ kind: 'message', user, text: text.slice(0, TEXT_MAX) }),
    backupsChanged: () => send({ kind: 'backups' }),
    backupFailed: (name, text) => send({ kind: 'backupFailed', name, text: text.slice(0, TEXT_MAX) }),
    async drain() {
      await Promise.all(pending);
    },
  };
}
