import { mdiCameraOutline } from '@mdi/js';
import { documentAddress } from '../base/document-address.ts';
import type { CaseContent } from '../cases/content.ts';

export const snapshotContent: CaseContent = {
  kind: 'snapshot',
  name: 'Snapshot',
  icon: mdiCameraOutline,
  page: documentAddress,
};
