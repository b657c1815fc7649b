import { GroupsPanel } from '../usergroups/GroupsPanel.tsx';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminTabs } from './AdminTabs.tsx';
import { texts } from './texts.ts';

export function UsergroupsPage() {
  return (
    <AdminFrame title={texts.adminTabs.groups} action="usergroup.manage">
      <GroupsPanel tabs={<AdminTabs />} />
    </AdminFrame>
  );
}
