import { PlatformsPanel } from '../platforms/PlatformsPanel.tsx';
import { texts } from '../platforms/texts.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { later } from '../ui/later.tsx';
import { AdminFrame } from './AdminFrame.tsx';

const LivePreview = later(async () => (await import('../live/LivePreview.tsx')).LivePreview);
const PlatformsFile = laterDialog(async () => (await import('../system/PlatformsFile.tsx')).PlatformsFile);

/** Page for the control of platforms: what streams, what is recorded, and how each is set up. */
export function PlatformsPage() {
  return (
    <AdminFrame title={texts.title} action="platform.controlAny" refusal={texts.noRights}>
      <PlatformsPanel preview={LivePreview} uploadDialog={(onClose) => <PlatformsFile onClose={onClose} />} />
    </AdminFrame>
  );
}
