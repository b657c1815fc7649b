import { join } from 'node:path';
import type { Http } from '../base/http/call-route.ts';
import { type LicenceKeeper, licenceKeeper } from '../features/licence/keeper.ts';
import { nodeId } from '../features/licence/licence.ts';
import { licenceRoutes } from '../features/licence/routes.ts';
import { type Seats, seats as seatKeeper } from '../features/licence/seats.ts';
import type { Dependencies } from './dependencies.ts';
import type { Live } from './live.ts';

export type Licensing = {
  licence: LicenceKeeper;
  seats: Seats;
  nodeId: string;
};

export const licenceKeysFolder = (dataDir: string): string => join(dataDir, 'keys', 'licence');

/** Opens the licence of the api process, and the list of users who occupy one of its seats. */
export async function openLicence(
  dependencies: Dependencies,
  isOnline: (userId: string) => boolean,
): Promise<Licensing> {
  const { db, config, nowUs, nowMs, events, log } = dependencies;
  const keysFolder = licenceKeysFolder(config.dataDir);
  const licence = await licenceKeeper({
    db,
    keysFolder,
    nowUs,
    log,
    onExpired: events.demoExpired,
    onChanged: events.infoChanged,
  });
  const seats = seatKeeper({
    limit: () => licence.current().usersMax,
    isOnline,
    nowMs,
    onRefused: events.concurrentUsers,
  });
  return { licence, seats, nodeId: await nodeId(db) };
}

type Options = {
  http: Http;
  dependencies: Dependencies;
  licensing: Licensing;
  coordination: Pick<Live, 'livePlatforms'>;
};

/** Serves the licence: its content, its upload, and its logo. */
export function serveLicence({ http, dependencies, licensing, coordination }: Options): void {
  const { licence, seats } = licensing;
  const keysFolder = licenceKeysFolder(dependencies.config.dataDir);
  licenceRoutes({
    ...http,
    db: dependencies.db,
    keysFolder,
    licence,
    seats,
    livePlatforms: coordination.livePlatforms,
  });
}
