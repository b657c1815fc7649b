import { join } from 'node:path';
import type { Http } from '../base/http/call-route.ts';
import { type LicenceKeeper, licenceKeeper } from '../features/licence/keeper.ts';
import { nodeId } from '../features/licence/licence.ts';
import { licenceRoutes } from '../features/licence/routes.ts';
import { type Seats, seats } from '../features/licence/seats.ts';
import type { CommonParts } from './parts.ts';

export type Licensing = {
  licence: LicenceKeeper;
  seats: Seats;
  nodeId: string;
  /** `livePlatforms`: those that are being recorded. */
  serve: (http: Http, livePlatforms: () => number) => void;
};

export const licenceKeysFolder = (dataDir: string): string => join(dataDir, 'keys', 'licence');

/** The licence of the api process, and who has one of its places. */
export async function licensing(parts: CommonParts, isOnline: (userId: string) => boolean): Promise<Licensing> {
  const { db, config, nowUs, nowMs, events, log } = parts;
  const keysFolder = licenceKeysFolder(config.dataDir);
  const licence = await licenceKeeper({
    db,
    keysFolder,
    nowUs,
    log,
    onExpired: events.demoExpired,
    onChanged: events.infoChanged,
  });
  const places = seats({
    limit: () => licence.current().usersMax,
    isOnline,
    nowMs,
    onRefused: events.concurrentUsers,
  });
  return {
    licence,
    seats: places,
    nodeId: await nodeId(db),
    serve: (http, livePlatforms) => licenceRoutes({ ...http, db, keysFolder, licence, seats: places, livePlatforms }),
  };
}
