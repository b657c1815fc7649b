import type { ComponentType, ReactNode } from 'react';
import type { ViewTab } from '../missionview/feature.ts';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { laterPanel } from '../ui/table/later-panel.tsx';
import { texts } from './texts.ts';

/** The panel contains rows of another feature, so the page supplies the panel. */
export function aisTab(fetchPanel: () => Promise<ComponentType<{ tabs: ReactNode; panel: TabPanelProps }>>): ViewTab {
  const AisPanel = laterPanel(texts.tab, fetchPanel);
  return {
    id: 'ais',
    label: texts.tab,
    isOffered: ({ useAis }) => useAis === true,
    content: ({ strip, panel }) => <AisPanel tabs={strip} panel={panel} />,
  };
}
