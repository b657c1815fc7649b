import { tabTexts as annotationTexts } from '../annotations/tab-texts.ts';
import { BookmarksPanel } from '../bookmarks/BookmarksPanel.tsx';
import { tabTexts as bookmarkTexts } from '../bookmarks/tab-texts.ts';
import { tabTexts as clipTexts } from '../clips/tab-texts.ts';
import { laterPanel } from '../ui/table/later-panel.tsx';
import { aisTab } from './ais-tab.tsx';
import type { HostedTab } from './TabHost.tsx';

const AnnotationsPanel = laterPanel(
  annotationTexts.title,
  async () => (await import('../annotations/AnnotationsPanel.tsx')).AnnotationsPanel,
);
const ClipsPanel = laterPanel(clipTexts.tab, async () => (await import('../clips/ClipsPanel.tsx')).ClipsPanel);

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
