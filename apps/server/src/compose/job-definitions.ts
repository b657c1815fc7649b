import { classificationOf } from '@osprey/contract';
import { requestAudit } from '../base/audit/request-audit.ts';
import { auditWriter } from '../base/audit/writer.ts';
import type { Ffmpeg } from '../base/ffmpeg/ffmpeg.ts';
import { scriptRunner } from '../base/ffmpeg/script.ts';
import type { JobDefinition } from '../base/jobs/definition.ts';
import { aisImport } from '../features/ais/import.ts';
import { fileReader } from '../features/documents/read-file.ts';
import { readingJob } from '../features/documents/reading-job.ts';
import { makeSheets } from '../media/convert/sheets.ts';
import { thumbnailsJob } from '../media/convert/thumbnails.ts';
import { transcodeJob } from '../media/convert/transcode.ts';
import { ingestJob } from '../media/ingest/ingest.ts';
import { archiveJob } from '../uploads/archive-job.ts';
import type { Dependencies } from './dependencies.ts';

/** Returns the definitions of all jobs of the worker. */
export function jobDefinitions(dependencies: Dependencies & { ffmpeg: Ffmpeg }): JobDefinition[] {
  const { db, storage, queue, events, log, nowUs, ffmpeg } = dependencies;
  const { changed, flow, fileFailed } = events;
  const writer = auditWriter({ db, node: 'worker', log });
  const ownAudit = requestAudit(writer, { actor: null, session: null, address: '' }, nowUs);
  const audit = ({
    action,
    itemId,
    label,
    reason,
  }: {
    action: string;
    itemId: string;
    label: number;
    reason: string;
  }) => ownAudit.write({ action, itemId, itemLabel: classificationOf(label), reason });
  const reader = fileReader({ storage, runScript: scriptRunner({ mode: dependencies.config.sandbox }) });
  return [
    readingJob({ db, storage, ffmpeg, reader, nowUs, log }),
    archiveJob({
      db,
      storage,
      queue,
      changed,
      flow,
      fileFailed,
      nowUs,
      reserveBytes: dependencies.config.uploadReserveBytes,
    }),
    ingestJob({
      ...{ db, storage, queue, ffmpeg, changed, flow, fileFailed, audit, nowUs, log },
      reserveBytes: dependencies.config.uploadReserveBytes,
      readAis: aisImport({ db, storage, nowUs }),
    }),
    thumbnailsJob({
      ...{ db, storage, ffmpeg, changed, log },
      sheets: (order) => makeSheets({ storage, ffmpeg, log }, order),
    }),
    transcodeJob({ db, storage, queue, ffmpeg, changed, flow, fileFailed, log, nowUs }),
  ];
}
