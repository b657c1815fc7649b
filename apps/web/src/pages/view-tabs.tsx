import { AnnotationsPanel } from '../annotations/AnnotationsPanel.tsx';
import { texts as annotationTexts } from '../annotations/texts.ts';
import { BookmarksPanel } from '../bookmarks/BookmarksPanel.tsx';
import { tabTexts as bookmarkTexts } from '../bookmarks/tab-texts.ts';
import { ClipsPanel } from '../clips/ClipsPanel.tsx';
import { texts as clipTexts } from '../clips/texts.ts';
import { aisTab } from './ais-tab.tsx';
import type { HostedTab } from './TabHost.tsx';

/** Tabs below the stage of missions and of live streams, after the tab of the page itself. Not every installation has the last. */
export const viewTabs: readonly HostedTab[] = [
  {
    id: 'annotations',
    label: annotationTexts.title,
    content: ({ strip, panel }) => <AnnotationsPanel tabs={strip} panel={panel} />,
  },
  {
    id: 'bookmarks',
    label: bookmarkTexts.title,
    content: ({ strip, panel }) => <BookmarksPanel tabs={strip} panel={panel} />,
  },
  {
    id: 'clips',
    label: clipTexts.tab,
    content: ({ strip, panel }) => <ClipsPanel tabs={strip} panel={panel} />,
  },
  aisTab,
];
