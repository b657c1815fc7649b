import { PlatformInfoPanel } from '../platforms/info/PlatformInfoPanel.tsx';
import { texts } from '../platforms/info/texts.ts';
import { texts as platforms } from '../platforms/texts.ts';
import { AdminFrame } from './AdminFrame.tsx';

/** Page that shows which user groups can see which platform. */
export function PlatformInfoPage() {
  return (
    <AdminFrame title={texts.title} action="platform.controlAny" refusal={platforms.noRights}>
      <PlatformInfoPanel />
    </AdminFrame>
  );
}
