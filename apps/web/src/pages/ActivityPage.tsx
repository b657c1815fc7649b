import { ActivityPanel } from '../activity/ActivityPanel.tsx';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminTabs } from './AdminTabs.tsx';
import { texts } from './texts.ts';

export function ActivityPage() {
  return (
    <AdminFrame title={texts.adminTabs.activity} action="activity.read">
      <ActivityPanel tabs={<AdminTabs />} />
    </AdminFrame>
  );
}
