import { join, resolve } from 'node:path';
import product from '../../../../package.json' with { type: 'json' };
import type { OpenReads } from '../base/access/open-reads.ts';
import { auditPlaces } from '../base/audit/places.ts';
import type { RequestAudit } from '../base/audit/request-audit.ts';
import { keyFingerprint, keyId, publicKeysOf, signingKey } from '../base/audit/signing-key.ts';
import type { Http } from '../base/http/call-route.ts';
import type { TaskDefinition } from '../base/jobs/tasks.ts';
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { landReader } from '../features/cases/exports/land.ts';
import { caseExportRoutes, type PublishedKey } from '../features/cases/exports/routes.ts';
import { caseExportTask } from '../features/cases/exports/task.ts';
import { caseParts } from '../features/cases/parts.ts';
import { caseRepository } from '../features/cases/repository.ts';
import { spanExtents } from '../features/cases/span-extents.ts';
import { clipRepository } from '../features/clips/repository.ts';
import { spanFiles } from '../features/clips/span-files.ts';
import { sensorRepository } from '../features/missions/sensors/repository.ts';
import { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import { type SensorIndexes, sensorIndexes } from '../media/play/sensor-index-cache.ts';
import { type TelemetryReader, telemetryReader } from '../telemetry/reader.ts';
import type { CommonParts } from './parts.ts';
import type { Recordings } from './recordings.ts';
import { admissionOf } from './uploads.ts';

const WEB_FOLDER = resolve(import.meta.dirname, '../../../../dist/web');
/** Page that checks the package of a case; each package contains it. */
export const CHECK_PAGE = join(WEB_FOLDER, 'check.html');
const BASE_MAP = join(WEB_FOLDER, 'base-map');

/** Clips and tracks as files. A recording that goes on is packed once it has been read. */
function spansOf(parts: CommonParts, { indexes, telemetry }: { indexes: SensorIndexes; telemetry: TelemetryReader }) {
  const { db, storage, queue, events, config, nowUs, log } = parts;
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

type Options = { http: Http; parts: CommonParts; reads: OpenReads; exportRefusal: () => string | null } & Pick<
  Recordings,
  'indexes' | 'telemetry'
>;

/** Exports of cases, of the api process. */
export function serveCaseExports({ http, parts, reads, exportRefusal, indexes, telemetry }: Options): void {
  const { db, storage, config, events } = parts;
  const { times } = sensorAnchors({ db, storage, indexes });
  caseExportRoutes({
    ...{ ...http, db, storage, reads, exportRefusal, changed: events.changed },
    cases: caseRepository({ db }),
    partsOf: caseParts({ db, storage, times, extentOfSpan: spanExtents({ indexes, telemetry }) }),
    spans: spansOf(parts, { indexes, telemetry }),
    needsTwo: config.caseRelease === 'two',
    checkQuota: admissionOf(parts).checkQuota,
    keys: () => publishedKeys(auditPlaces(config.dataDir).keys),
  });
}

async function publishedKeys(folder: string): Promise<PublishedKey[]> {
  const { id } = await signingKey(folder);
  const keys = [...(await publicKeysOf(folder)).values()].map((key) => ({
    fingerprint: keyFingerprint(key),
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    current: keyId(key) === id,
  }));
  return keys.sort((a, b) => Number(b.current) - Number(a.current));
}

/** Packing of the worker process. */
export function caseExportDefinition(parts: CommonParts, audit: Pick<RequestAudit, 'write'>): TaskDefinition {
  const { db, storage, config, events, nowUs, log } = parts;
  // A damaged index is read again when the recording is opened.
  const damaged = (key: string) => log.warn({ key }, 'an index of a case export is damaged');
  const indexes = sensorIndexes({ storage, damaged });
  const telemetry = telemetryReader({ storage, damaged });
  return caseExportTask({
    ...{ db, storage, nowUs, log, changed: events.changed, audit, checkPage: CHECK_PAGE },
    landIn: landReader(BASE_MAP),
    spans: spansOf(parts, { indexes, telemetry }),
    places: auditPlaces(config.dataDir),
    server: { name: config.serverName, version: product.version },
    checkQuota: admissionOf(parts).checkQuota,
  });
}
