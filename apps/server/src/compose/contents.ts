import product from '../../../../package.json' with { type: 'json' };
import type { Contents } from '../base/items/content.ts';
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { annotationChanges } from '../features/annotations/changes.ts';
import { annotationContent } from '../features/annotations/content.ts';
import { bookmarkContent } from '../features/bookmarks/content.ts';
import type { TrackFiles } from '../features/cases/exports/part-files.ts';
import { clipContent } from '../features/clips/content.ts';
import { clipRepository } from '../features/clips/repository.ts';
import { spanFiles } from '../features/clips/span-files.ts';
import { documentChanges } from '../features/documents/changes.ts';
import { documentContent } from '../features/documents/content.ts';
import { documentCreator } from '../features/documents/create.ts';
import { importedDocuments } from '../features/documents/imported.ts';
import { documentRepository } from '../features/documents/repository.ts';
import { sensorRepository } from '../features/missions/sensors/repository.ts';
import { snapshotContent } from '../features/snapshots/content.ts';
import type { SensorIndexes } from '../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import type { CommonParts } from './parts.ts';
import { admissionOf } from './uploads.ts';

type Readers = { indexes: SensorIndexes; telemetry: TelemetryReader };
export type ProductContents = { contents: Contents; trackFiles: TrackFiles };

/**
 * The list of contents, over which cases and archives loop. Its order is that of the lists in an archive, and of the
 * locks of rows; a snapshot, which is a document too, comes before documents.
 */
export function productContents(parts: CommonParts, { indexes, telemetry }: Readers): ProductContents {
  const { db, storage, queue, events, config, nowUs, log } = parts;
  // A recording that goes on is cut once it has been read.
  const plan = { db, storage, indexes, recording: () => null, segments: () => [] };
  const note = damageNotes({ stored: storedFiles({ db, nowUs }), storage, changed: events.changed, log });
  const spans = spanFiles({
    ...{ storage, plan, indexes, telemetry, nowUs },
    clips: clipRepository({ plan, nowUs }),
    sensorOf: sensorRepository({ db, queue, nowUs }).find,
    server: { name: config.serverName, version: product.version },
    damaged: (id, error) => note({ noun: 'files', id }, error),
  });
  const { systemHigh } = config;
  const document = documentContent({ db, storage });
  const { createDocument } = documentCreator({
    ...{ storage, admission: admissionOf(parts), changed: events.changed },
    documents: documentRepository({ db }),
    changes: documentChanges({ db, queue, nowUs, systemHigh }),
  });
  const contents = [
    bookmarkContent({ db, storage }),
    clipContent({ db, spans }),
    annotationContent({ db, create: annotationChanges({ db, nowUs, systemHigh }).create }),
    snapshotContent({ db, storage, document, createDocument, imported: importedDocuments(db) }),
    document,
  ];
  return { contents, trackFiles: spans.track };
}
