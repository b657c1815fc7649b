import type { ViewTab } from '../missionview/feature.ts';
import { BookmarksPanel } from './BookmarksPanel.tsx';
import { tabTexts } from './tab-texts.ts';

export const bookmarksTab: ViewTab = {
  id: 'bookmarks',
  label: tabTexts.title,
  content: ({ strip, panel }) => <BookmarksPanel tabs={strip} panel={panel} />,
};
