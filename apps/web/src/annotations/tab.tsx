import type { ViewTab } from '../missionview/feature.ts';
import { laterPanel } from '../ui/table/later-panel.tsx';
import { OpenMission } from './open-mission.ts';
import { tabTexts } from './tab-texts.ts';

const AnnotationsPanel = laterPanel(
  tabTexts.title,
  async () => (await import('./AnnotationsPanel.tsx')).AnnotationsPanel,
);

export const annotationsTab: ViewTab = {
  id: 'annotations',
  label: tabTexts.title,
  content: ({ strip, panel, mission }) => (
    <OpenMission value={mission}>
      <AnnotationsPanel tabs={strip} panel={panel} />
    </OpenMission>
  ),
};
