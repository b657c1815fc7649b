import type { Http } from '../base/http/call-route.ts';
import { type Admission, admission } from '../uploads/admission.ts';
import { uploadRoutes } from '../uploads/multipart.ts';
import { sweepUploads } from '../uploads/sweep.ts';
import { tusRoutes } from '../uploads/tus.ts';
import { type TusStore, tusStore } from '../uploads/tus-store.ts';
import type { CommonParts } from './parts.ts';

export type Uploads = {
  admission: Admission;
  uploads: TusStore;
  /** `startedMs`: start of this process, milliseconds since 1970. */
  sweep: (startedMs: number) => Promise<void>;
};

/** Decides whether there is room for an upload, by the limits of the configuration. */
export const admissionOf = ({ db, storage, config, nowUs }: CommonParts): Admission =>
  admission({
    db,
    storage,
    reserveBytes: config.uploadReserveBytes,
    userQuotaBytes: config.userQuotaBytes,
    nowUs,
  });

/** Serves uploads, by form and by tus. It also registers the multipart plugin that forms of other areas need. */
export async function serveUploads(http: Http, parts: CommonParts): Promise<Uploads> {
  const { db, storage, queue, events, log, nowUs } = parts;
  const { changed, flow } = events;
  const room = admissionOf(parts);
  const uploads = tusStore({ db, storage, nowUs });
  await uploadRoutes({ ...http, db, storage, queue, changed, flow, admission: room });
  tusRoutes({ ...http, db, storage, queue, changed, flow, admission: room, uploads });
  return {
    admission: room,
    uploads,
    sweep: (startedMs) => sweepUploads({ db, storage, uploads, nowUs, log }, startedMs),
  };
}
