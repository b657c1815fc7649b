import { join } from 'node:path';
import type { Http } from '../base/http/call-route.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { hlsRoutes } from '../live/hls/routes.ts';
import { mediaSessions } from '../media/play/media-sessions.ts';
import type { Dependencies } from './dependencies.ts';
import type { Live } from './live.ts';

/** Serves live video over HLS: playlists from the recorder's messages, and bytes from the files that it writes. */
export function serveHls({
  http,
  dependencies,
  coordination,
}: {
  http: Http;
  dependencies: Dependencies;
  coordination: Live;
}) {
  const { storage, config, nowMs, nowUs, log } = dependencies;
  const { mirror, access } = coordination;
  const sessions = mediaSessions({ nowMs, nowUs, log });
  hlsRoutes({
    ...http,
    mirror,
    access,
    sessions,
    ring: folderStorage({ root: join(config.dataDir, 'live', 'ring') }),
    storage,
    numbers: folderStorage({ root: join(config.dataDir, 'live', 'hls') }),
    log,
  });
  return { close: sessions.close };
}
