import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { type Account, selectAccounts, toAccount } from './actors.ts';
import { type MissionFacts, missionFacts } from './mission-facts.ts';
import { noticed } from './noticed.ts';
import type { OpenReads } from './open-reads.ts';
import { type PlatformFacts, platformFacts, platformOfSensor } from './platform-facts.ts';
import type { RightsNotice } from './rights-notice.ts';
import { asSystem } from './visibility.ts';

/** Without notices what is open and labelled goes on for this long, in case they come back. */
const BLIND_MS = 5000;

export type LiveRights = ReturnType<typeof liveRights>;

/** Something that is kept until a notice, and told of each. */
export type Follower = { notice: (notice: RightsNotice) => void; forgetAll: () => void };

/**
 * Accounts, missions, platforms and documents as the notices of changed rights keep them: a request for bytes looks into a map and asks no
 * database. Without notices nothing here counts: the callers refuse, and what is open above UNCLASSIFIED ends.
 */
export function liveRights({ db, reads }: { db: Kysely<Database>; reads: Pick<OpenReads, 'closeWhere'> }) {
  const accounts = noticed<Account | null>(async (id) => {
    const row = await selectAccounts(db).where('users.id', '=', id).executeTakeFirst();
    return row && !row.disabled ? toAccount(row) : null;
  });
  const missions = noticed<MissionFacts | null>((id) => missionFacts(db, id, 'media'));
  const documents = noticed<{ epoch: number } | null>(async (id) => {
    const row = await asSystem(db, 'media token')
      .selectFrom('documents')
      .select('epoch')
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  });
  const platforms = noticed<PlatformFacts | null>(async (id) => (await platformFacts(db, [id])).get(id) ?? null);
  const sources = noticed<string | null>((sensorId) => platformOfSensor(db, sensorId));
  const followers: Follower[] = [];
  let blind: NodeJS.Timeout | null = null;

  function forgetAll(): void {
    accounts.forgetAll();
    missions.forgetAll();
    documents.forgetAll();
    platforms.forgetAll();
    sources.forgetAll();
    for (const follower of followers) follower.forgetAll();
  }

  return {
    /** Null for one that is disabled or gone. */
    account: (id: string): Promise<Account | null> => accounts.get(id),
    /** Null for one that is in the bin or gone. */
    mission: (id: string): Promise<MissionFacts | null> => missions.get(id),
    /** Null for one that is gone. */
    document: (id: string): Promise<{ epoch: number } | null> => documents.get(id),
    /** Null for one that is removed. */
    platform: (id: string): Promise<PlatformFacts | null> => platforms.get(id),
    /** The id of the platform that a live sensor belongs to. */
    platformOf: (sensorId: string): Promise<string | null> => sources.get(sensorId),
    follow: (follower: Follower): void => void followers.push(follower),

    notice(notice: RightsNotice): void {
      if ('user' in notice) accounts.forget(notice.user);
      if ('mission' in notice) missions.forget(notice.mission);
      if ('document' in notice) documents.forget(notice.document);
      if ('platform' in notice) {
        platforms.forget(notice.platform);
        // By sensor: which ones it had is not known any more.
        sources.forgetAll();
      }
      for (const follower of followers) follower.notice(notice);
    },

    /** Nobody tells of lost rights any more. */
    lost(): void {
      forgetAll();
      blind ??= setTimeout(() => {
        reads.closeWhere(({ securityClassification }) => securityClassification !== 'UNCLASSIFIED');
      }, BLIND_MS);
    },

    /** Notices come again; those in between were missed. */
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
