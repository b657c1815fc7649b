import { mdiBookmarkOutline } from '@mdi/js';
import type { CaseContent } from '../cases/content.ts';

export const bookmarkContent: CaseContent = { kind: 'bookmark', name: 'Bookmark', icon: mdiBookmarkOutline };
