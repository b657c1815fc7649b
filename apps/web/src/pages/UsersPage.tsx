import { UsersPanel } from '../users/UsersPanel.tsx';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminTabs } from './AdminTabs.tsx';
import { texts } from './texts.ts';

export function UsersPage() {
  return (
    <AdminFrame title={texts.adminTabs.users} action="user.list">
      <UsersPanel tabs={<AdminTabs />} />
    </AdminFrame>
  );
}
