import { mdiEyeOffOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { errorText, isCode } from '../base/transport-error.ts';
import { texts } from '../missions/texts.ts';
import { Notice } from '../ui/notice/Notice.tsx';

/** Notice shown instead of the mission in the address: explains why it cannot be shown. */
export function MissionNotShown({ error, onClose }: { error: unknown; onClose: () => void }) {
  const isGone = isCode(error, 'notFound');
  return (
    <Notice
      failed
      icon={mdiEyeOffOutline}
      title={isGone ? texts.notFound.title : texts.view.failed}
      text={isGone ? texts.notFound.text : errorText(error)}
    >
      <Button onClick={onClose}>{texts.notFound.back}</Button>
    </Notice>
  );
}
