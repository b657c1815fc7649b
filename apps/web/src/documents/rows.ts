import {
  mdiCalendarClockOutline,
  mdiFileDocumentOutline,
  mdiFileOutline,
  mdiImageOutline,
  mdiNoteTextOutline,
  mdiTextBoxOutline,
  mdiTextBoxSearchOutline,
  mdiVideoOutline,
} from '@mdi/js';
import {
  type Actor,
  can,
  type DocumentAction,
  type DocumentFacts,
  type DocumentRow,
  type DocumentType,
} from '@osprey/contract';
import { documentAddress } from '../base/document-address.ts';

export const typeIcons: Record<DocumentType, string> = {
  Report: mdiFileDocumentOutline,
  Note: mdiNoteTextOutline,
  Document: mdiTextBoxOutline,
  Image: mdiImageOutline,
  Video: mdiVideoOutline,
  Schedule: mdiCalendarClockOutline,
  Log: mdiTextBoxSearchOutline,
  Misc: mdiFileOutline,
};

export const factsOf = (row: DocumentRow): DocumentFacts => ({
  securityClassification: row.securityClassification,
  audience: row.audience,
  usergroups: row.usergroups,
  draft: false,
  locked: row.restricted,
});

/** Whether a button for the action is enabled. The server checks the right again. */
export const mayDo = (actor: Actor, action: DocumentAction, row: DocumentRow): boolean =>
  can(actor, action, factsOf(row)).allowed;

/** Returns the address that opens the document. The address grants no access. */
export const linkTo = ({ _id }: Pick<DocumentRow, '_id'>): string =>
  new URL(documentAddress(_id), location.origin).href;
