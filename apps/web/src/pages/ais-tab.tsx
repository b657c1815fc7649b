import { AisPanel } from '../ais/AisPanel.tsx';
import { texts } from '../ais/texts.ts';
import type { HostedTab } from './TabHost.tsx';

export const aisTab: HostedTab = {
  id: 'ais',
  label: texts.tab,
  isOffered: ({ useAis }) => useAis === true,
  content: ({ strip, panel }) => <AisPanel tabs={strip} panel={panel} />,
};
