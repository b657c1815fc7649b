import { join } from 'node:path';
import { secretBox } from '../base/access/secret-box.ts';
import { secretFile } from '../base/access/secret-file.ts';
import type { Ffmpeg } from '../base/ffmpeg/ffmpeg.ts';
import type { Http } from '../base/http/call-route.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import type { LicenceKeeper } from '../features/licence/keeper.ts';
import { claimName } from '../features/missions/changes.ts';
import { platformConfiguration } from '../features/platforms/configuration.ts';
import { platformControl } from '../features/platforms/control.ts';
import { liveKlvChoice } from '../features/platforms/live-klv.ts';
import { livePlatforms } from '../features/platforms/live-platforms.ts';
import { platformRoutes } from '../features/platforms/routes.ts';
import { sourceTest } from '../features/platforms/source-test.ts';
import { sourceCheck } from '../recorder-wire/source-address.ts';
import type { Dependencies } from './dependencies.ts';
import type { Live } from './live.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  ffmpeg: () => Promise<Ffmpeg>;
  coordination: Pick<Live, 'mirror' | 'notifyRecorder'>;
  live: LiveRights;
  licence: Pick<LicenceKeeper, 'current'>;
};

/** Serves platforms: their list, their control and their configuration. */
export async function servePlatforms(options: Options): Promise<void> {
  const { http, dependencies, ffmpeg, coordination, live, licence } = options;
  const { db, storage, queue, events, config, log, nowUs } = dependencies;
  const { mirror, notifyRecorder } = coordination;
  const platforms = livePlatforms({ db, mirror, live });
  const box = secretBox(await secretFile(join(config.dataDir, 'keys', 'platforms.key')));
  const checkSource = sourceCheck({ allowed: config.sourceAllow });
  const configuration = platformConfiguration({ db, nowUs, systemHigh: config.systemHigh, box, checkSource });
  platformRoutes({
    ...http,
    platforms,
    controlling: platformControl({
      db,
      platforms,
      storage,
      queue,
      nowUs,
      mirror,
      claimMissionName: claimName,
      licence: licence.current,
    }),
    chooseKlv: liveKlvChoice({ db, mirror, platforms }),
    configuration,
    testSource: sourceTest({
      ...{ configuration, box, checkSource, log },
      probe: mirror.probe,
      licence: licence.current,
      pictureAt: async (order) => (await ffmpeg()).pictureAt(order),
    }),
    changed: events.changed,
    notifyRecorder,
  });
}
