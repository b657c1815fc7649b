import {
  mdiBookmarkOutline,
  mdiCameraOutline,
  mdiFileDocumentOutline,
  mdiMapMarkerPath,
  mdiMovieOpenOutline,
  mdiNoteTextOutline,
  mdiVectorPolygon,
} from '@mdi/js';
import type { CasePartKind } from '@osprey/contract';

export const kindIcons: Record<CasePartKind, string> = {
  clip: mdiMovieOpenOutline,
  snapshot: mdiCameraOutline,
  bookmark: mdiBookmarkOutline,
  annotation: mdiVectorPolygon,
  document: mdiFileDocumentOutline,
  track: mdiMapMarkerPath,
  note: mdiNoteTextOutline,
};
