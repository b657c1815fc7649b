import type { DocumentRow } from '@osprey/contract';
import { newId } from './fake-api.ts';

export function documentOf(fields: Partial<DocumentRow> = {}): DocumentRow {
  return {
    _id: newId(),
    title: 'Orders',
    description: '',
    documentType: 'Document',
    platformName: '',
    restricted: false,
    usergroups: [],
    audience: 'everyone',
    author: 'ana',
    creationTime: 0,
    fileName: 'orders.pdf',
    accessToken: null,
    thumbnail: null,
    state: 'Ready',
    tags: [],
    geometry: null,
    geometrySource: null,
    securityClassification: 'UNCLASSIFIED',
    marked: true,
    content: 'pdf',
    snapshot: null,
    overlays: false,
    sizeBytes: 9000,
    sha256: '0'.repeat(64),
    pages: null,
    textScope: 'none',
    message: null,
    revision: 1,
    deletedTime: null,
    ...fields,
  };
}
