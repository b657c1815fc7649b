import { mdiFileDocumentOutline } from '@mdi/js';
import { documentAddress } from '../base/document-address.ts';
import type { CaseContent } from '../cases/content.ts';

export const documentContent: CaseContent = {
  kind: 'document',
  name: 'Document',
  icon: mdiFileDocumentOutline,
  page: documentAddress,
};
