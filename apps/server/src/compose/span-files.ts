import product from '../../../../package.json' with { type: 'json' };
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { clipRepository } from '../features/clips/repository.ts';
import { type SpanFilesOf, spanFiles } from '../features/clips/span-files.ts';
import { sensorRepository } from '../features/missions/sensors/repository.ts';
import type { ContentParts } from './content-parts.ts';

/** Files that are cut from recordings for packages of cases. */
export function spanFilesOf(dependencies: ContentParts): SpanFilesOf {
  const { db, storage, queue, events, config, nowUs, log, indexes, telemetry } = dependencies;
  // Recordings in progress are excluded; they can be cut once they have been read completely.
  const plan = { db, storage, indexes, recording: () => null, segments: () => [] };
  const note = damageNotes({ stored: storedFiles({ db, nowUs }), storage, changed: events.changed, log });
  return spanFiles({
    ...{ storage, plan, indexes, telemetry, nowUs },
    clips: clipRepository({ plan, nowUs }),
    sensorOf: sensorRepository({ db, queue, nowUs }).find,
    server: { name: config.serverName, version: product.version },
    damaged: (id, error) => note({ noun: 'files', id }, error),
  });
}
