import { ActivityPanel } from '../activity/ActivityPanel.tsx';
import { FeatureTexts } from '../activity/action-texts.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminTabs } from './AdminTabs.tsx';
import { texts } from './texts.ts';
import { activityTexts, loadViewFeatures } from './view-features.ts';

/** Loads the page together with the features, whose texts describe actions. */
export async function loadActivityPage() {
  await loadViewFeatures();
  return ActivityPage;
}

export function ActivityPage() {
  return (
    <AdminFrame title={texts.adminTabs.activity} action="activity.read">
      <FeatureTexts value={activityTexts()}>
        <ActivityPanel tabs={<AdminTabs />} />
      </FeatureTexts>
    </AdminFrame>
  );
}
