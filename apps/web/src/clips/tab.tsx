import type { ViewTab } from '../missionview/feature.ts';
import { laterPanel } from '../ui/table/later-panel.tsx';
import { tabTexts } from './tab-texts.ts';

const ClipsPanel = laterPanel(tabTexts.tab, async () => (await import('./ClipsPanel.tsx')).ClipsPanel);

export const clipsTab: ViewTab = {
  id: 'clips',
  label: tabTexts.tab,
  content: ({ strip, panel }) => <ClipsPanel tabs={strip} panel={panel} />,
};
