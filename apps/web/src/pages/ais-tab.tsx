import { texts } from '../ais/texts.ts';
import { laterPanel } from '../ui/table/later-panel.tsx';
import type { HostedTab } from './TabHost.tsx';

const AisPanel = laterPanel(texts.tab, async () => (await import('./AisTabPanel.tsx')).AisTabPanel);

export const aisTab: HostedTab = {
  id: 'ais',
  label: texts.tab,
  isOffered: ({ useAis }) => useAis === true,
  content: ({ strip, panel }) => <AisPanel tabs={strip} panel={panel} />,
};
