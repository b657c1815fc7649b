import type { Classification } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { type Account, selectAccounts, toAccount, underCeiling } from '../access/actors.ts';
import { asSystem } from '../access/as-system.ts';
import { noticed } from '../access/noticed.ts';
import type { OpenReads } from '../access/open-reads.ts';
import type { Database } from '../db/schema.ts';
import type { StoredFacts } from './facts.ts';
import type { Items } from './items.ts';
import type { MissionFacts } from './mission-facts.ts';
import type { RightsNotice } from './notice.ts';
import { type PlatformFacts, platformOfSensor } from './platform-facts.ts';

/**
 * Time for which labelled transfers may continue after the notice connection is lost, in case it recovers, in
 * milliseconds.
 */
const BLIND_MS = 5000;

export type LiveRights = ReturnType<typeof liveRights>;

/** A cache whose values stay valid until a notice, and which receives every notice. */
export type Follower = { notice: (notice: RightsNotice) => void; forgetAll: () => void };

export type LiveRightsDeps = { db: Kysely<Database>; items: Items; reads: Pick<OpenReads, 'closeWhere'> };

/**
 * Caches accounts and items until notices report changed rights, so that a request for bytes needs only a map lookup
 * and no database query. While the notice connection is lost, the cache must not be used: callers refuse requests, and
 * open transfers above UNCLASSIFIED are ended.
 */
export function liveRights({ db, items, reads }: LiveRightsDeps) {
  const accounts = noticed<Account | null>(async (id) => {
    const row = await selectAccounts(db).where('users.id', '=', id).executeTakeFirst();
    return row && !row.disabled ? toAccount(row) : null;
  });
  const cached = new Map(
    items.kinds.map(({ item }) => [
      item,
      noticed<StoredFacts | null>((id) => items.factsOf(item, asSystem(db, 'media'), id)),
    ]),
  );
  const sources = noticed<string | null>((sensorId) => platformOfSensor(db, sensorId));
  const followers: Follower[] = [];
  let blind: NodeJS.Timeout | null = null;

  /** Returns the facts of an item; null if it is in the bin or does not exist. @throws Error for an unknown item */
  async function facts(item: string, id: string): Promise<StoredFacts | null> {
    const existing = cached.get(item);
    if (existing === undefined) throw new Error(`Unknown item: ${item}`);
    return existing.get(id);
  }

  function forgetAll(): void {
    accounts.forgetAll();
    for (const facts of cached.values()) facts.forgetAll();
    sources.forgetAll();
    for (const follower of followers) follower.forgetAll();
  }

  return {
    /** Returns the account as limited by a session's ceiling; null if it is disabled or does not exist. */
    async account(id: string, ceiling: Classification): Promise<Account | null> {
      const existing = await accounts.get(id);
      return existing && underCeiling(existing, ceiling);
    },
    facts,
    mission: (id: string): Promise<MissionFacts | null> => facts('mission', id),
    platform: (id: string): Promise<PlatformFacts | null> => facts('platform', id),
    /** The id of the platform that a live sensor belongs to. */
    platformOf: (sensorId: string): Promise<string | null> => sources.get(sensorId),
    follow: (follower: Follower): void => void followers.push(follower),

    notice(notice: RightsNotice): void {
      if ('user' in notice) accounts.forget(notice.user);
      const changed = items.itemOfNotice(notice);
      if (changed) cached.get(changed.kind.item)?.forget(changed.id);
      // The cache is by sensor, and the sensors that the platform had before are unknown here.
      if ('platform' in notice) sources.forgetAll();
      for (const follower of followers) follower.notice(notice);
    },

    /** Called when the notice connection is lost, so that changes of rights can no longer be followed. */
    lost(): void {
      forgetAll();
      blind ??= setTimeout(() => {
        reads.closeWhere(({ securityClassification }) => securityClassification !== 'UNCLASSIFIED');
      }, BLIND_MS);
    },

    /** Called when notices arrive again. Those in between were missed. */
    regained(): void {
      if (blind) clearTimeout(blind);
      blind = null;
      forgetAll();
    },

    close(): void {
      if (blind) clearTimeout(blind);
    },
  };
}
