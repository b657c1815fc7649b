import type { Http } from '../base/http/call-route.ts';
import type { MediaTokens } from '../base/items/media-token.ts';
import { missionRename } from '../features/missions/rename.ts';
import { missionRoutes } from '../features/missions/routes.ts';
import type { RecorderMirror } from '../live/rows/mirror.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  mediaTokens: MediaTokens;
  mirror: Pick<RecorderMirror, 'recordings'>;
} & Pick<Recordings, 'missions' | 'missionChanges'>;

export function serveMissions({ http, dependencies, mediaTokens, mirror, missions, missionChanges }: Options): void {
  const { db, events, nowUs } = dependencies;
  missionRoutes({
    ...http,
    missions,
    changes: missionChanges,
    rename: missionRename({ db, nowUs, recordings: mirror.recordings }),
    mediaTokens,
    changed: events.changed,
  });
}
