import type { Content } from '../base/items/content.ts';
import { documentChanges } from '../features/documents/changes.ts';
import { documentContent } from '../features/documents/content.ts';
import { documentCreator } from '../features/documents/create.ts';
import { importedDocuments } from '../features/documents/imported.ts';
import { documentRepository } from '../features/documents/repository.ts';
import { snapshotContent } from '../features/snapshots/content.ts';
import type { ContentParts } from './content-parts.ts';
import { admissionOf } from './uploads.ts';

/** Provides snapshots as a kind of content, with the functions of the documents that they are stored as. */
export function snapshotsAsContent(dependencies: ContentParts): Content {
  const { db, storage, queue, events, config, nowUs } = dependencies;
  const { createDocument } = documentCreator({
    ...{ storage, admission: admissionOf(dependencies), changed: events.changed },
    documents: documentRepository({ db }),
    changes: documentChanges({ db, queue, nowUs, systemHigh: config.systemHigh }),
  });
  const document = documentContent({ db, storage });
  return snapshotContent({ db, storage, document, createDocument, imported: importedDocuments(db) });
}
