import { annotationContent } from '../annotations/content.ts';
import { bookmarkContent } from '../bookmarks/content.ts';
import type { CaseContent } from '../cases/content.ts';
import { ownContents } from '../cases/own-contents.ts';
import { clipContent } from '../clips/content.ts';
import { documentContent } from '../documents/content.ts';
import { snapshotContent } from '../snapshots/content.ts';

/** List of all kinds of content that cases can hold. */
export const caseContents: readonly CaseContent[] = [
  clipContent,
  snapshotContent,
  bookmarkContent,
  annotationContent,
  documentContent,
  ...ownContents,
];
