import { mdiMapMarkerPath, mdiNoteTextOutline } from '@mdi/js';
import type { CaseContent } from './content.ts';

/** Kinds of parts that exist only in cases. */
export const ownContents: readonly CaseContent[] = [
  { kind: 'track', name: 'Track', icon: mdiMapMarkerPath },
  { kind: 'note', name: 'Note', icon: mdiNoteTextOutline },
];
