import type { Http } from '../base/http/call-route.ts';
import { packagesOf } from '../features/cases/exports/used-bytes.ts';
import { type Admission, admission } from '../uploads/admission.ts';
import { uploadRoutes } from '../uploads/multipart.ts';
import { sweepUploads } from '../uploads/sweep.ts';
import { tusRoutes } from '../uploads/tus.ts';
import { type TusStore, tusStore } from '../uploads/tus-store.ts';
import type { Dependencies } from './dependencies.ts';

export type Uploads = { admission: Admission; uploads: TusStore };

/** Returns the admission check for uploads, which decides by the configured limits whether there is enough space. */
export const admissionOf = ({ db, storage, config, nowUs }: Dependencies): Admission =>
  admission({
    db,
    storage,
    reserveBytes: config.uploadReserveBytes,
    userQuotaBytes: config.userQuotaBytes,
    packagesOf,
    nowUs,
  });

export const openUploads = (dependencies: Dependencies): Uploads => ({
  admission: admissionOf(dependencies),
  uploads: tusStore(dependencies),
});

type Options = { http: Http; dependencies: Dependencies } & Uploads;

/** Serves uploads, by form and by tus. It also registers the multipart plugin that forms of other areas need. */
export async function serveUploads({ http, dependencies, admission, uploads }: Options) {
  const { db, storage, queue, events, log, nowUs } = dependencies;
  const { changed, flow } = events;
  const startedMs = Date.now();
  await uploadRoutes({ ...http, db, storage, queue, changed, flow, admission });
  tusRoutes({ ...http, db, storage, queue, changed, flow, admission, uploads });
  return { sweep: () => sweepUploads({ db, storage, uploads, nowUs, log }, startedMs) };
}
