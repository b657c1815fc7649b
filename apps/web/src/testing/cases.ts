import type { CaseComment, CaseExport, CasePart, CaseRow } from '@osprey/contract';
import { newId } from './fake-api.ts';

/** Test support: a case as returned to its owner. */
export const caseOf = (fields: Partial<CaseRow> = {}): CaseRow => ({
  ...{ _id: newId(), number: 7, name: 'Slick off Kea', description: '' },
  ...{ securityClassification: 'RESTRICTED', ownClassification: 'UNCLASSIFIED', marked: true },
  ...{ audience: 'everyone', usergroups: [], owner: 'ana', ownerId: null, editors: [] },
  ...{ parts: 0, comments: 0, held: false, created: 0, changed: 0, revision: 1, deletedTime: null },
  ...{ editable: true, deletable: true, holdable: true, exportable: true },
  ...fields,
});

export const casePartOf = (fields: Partial<CasePart> = {}): CasePart => ({
  ...{ _id: newId(), kind: 'bookmark', subjectId: newId(), title: 'Take-off', remark: '', text: null },
  ...{ missionId: newId(), missionName: 'Kea', sensorId: newId(), sensorName: 'EO/IR' },
  ...{ startTime: 1_780_304_410_000_000, endTime: null, securityClassification: 'RESTRICTED' },
  ...{
    extent: null,
    thumbnailUrl: null,
    picture: null,
    overlays: false,
    state: 'shown',
    author: 'ana',
    added: 0,
    revision: 1,
  },
  ...fields,
});

export const caseCommentOf = (fields: Partial<CaseComment> = {}): CaseComment => ({
  ...{ _id: newId(), author: 'ana', own: true, text: 'Who flew?', created: 0, edited: null, struck: false },
  ...fields,
});

export const caseExportOf = (fields: Partial<CaseExport> = {}): CaseExport => ({
  ...{ _id: newId(), version: 1, created: 0, by: 'ana', own: true, state: 'Ready', progress: 100, message: null },
  ...{ sizeBytes: 12_400_000, sha256: '0'.repeat(64), fileName: 'case-7-v1.zip', downloads: 0, parts: 3, comments: 0 },
  ...{ leftOut: false, differs: false, expires: 604_800_000_000, releasedBy: null },
  ...{ securityClassification: 'RESTRICTED', releasable: false, removable: true },
  ...fields,
});
