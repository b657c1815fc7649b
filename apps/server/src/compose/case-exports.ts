import { join, resolve } from 'node:path';
import product from '../../../../package.json' with { type: 'json' };
import type { OpenReads } from '../base/access/open-reads.ts';
import { auditDirectories } from '../base/audit/directories.ts';
import type { RequestAudit } from '../base/audit/request-audit.ts';
import { keyFingerprint, keyId, publicKeysOf, signingKey } from '../base/audit/signing-key.ts';
import type { Http } from '../base/http/call-route.ts';
import type { Contents } from '../base/items/content.ts';
import type { TaskDefinition } from '../base/jobs/tasks.ts';
import { landReader } from '../features/cases/exports/land.ts';
import { caseExportRoutes, type PublishedKey } from '../features/cases/exports/routes.ts';
import { caseExportTask } from '../features/cases/exports/task.ts';
import { caseParts } from '../features/cases/parts.ts';
import { caseRepository } from '../features/cases/repository.ts';
import { spanExtents } from '../features/cases/span-extents.ts';
import { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import type { ContentParts } from './content-parts.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';
import { spanFilesOf } from './span-files.ts';
import { admissionOf } from './uploads.ts';

const WEB_FOLDER = resolve(import.meta.dirname, '../../../../dist/web');
/** Web page that verifies the package of a case; each package contains a copy. */
export const CHECK_PAGE = join(WEB_FOLDER, 'check.html');
const BASE_MAP = join(WEB_FOLDER, 'base-map');

type Options = { http: Http; dependencies: Dependencies; reads: OpenReads; exportRefusal: () => string | null } & Pick<
  Recordings,
  'indexes' | 'telemetry'
> & { contents: Contents };

/** Serves exports of cases in the api process. */
export function serveCaseExports(options: Options): void {
  const { http, dependencies, reads, exportRefusal, indexes, telemetry, contents } = options;
  const { db, storage, config, events } = dependencies;
  const { times } = sensorAnchors({ db, storage, indexes });
  caseExportRoutes({
    ...{ ...http, db, contents, storage, reads, exportRefusal, changed: events.changed },
    trackFiles: spanFilesOf({ ...dependencies, indexes, telemetry }).track,
    cases: caseRepository({ db, contents }),
    partsOf: caseParts({ db, contents, storage, times, extentOfSpan: spanExtents({ indexes, telemetry }) }),
    needsTwo: config.caseRelease === 'two',
    checkQuota: admissionOf(dependencies).checkQuota,
    keys: () => publishedKeys(auditDirectories(config.dataDir).keys),
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

/** Defines the worker's job that packs exports of cases. */
export function caseExportDefinition(
  dependencies: ContentParts,
  contents: Contents,
  audit: Pick<RequestAudit, 'write'>,
): TaskDefinition {
  const { db, storage, config, events, nowUs, log } = dependencies;
  return caseExportTask({
    ...{ db, contents, storage, nowUs, log, changed: events.changed, audit, checkPage: CHECK_PAGE },
    trackFiles: spanFilesOf(dependencies).track,
    landIn: landReader(BASE_MAP),
    directories: auditDirectories(config.dataDir),
    server: { name: config.serverName, version: product.version },
    checkQuota: admissionOf(dependencies).checkQuota,
  });
}
