import { mdiAlertCircleOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { texts } from '../texts.ts';
import { Notice } from './Notice.tsx';

type Props = {
  title: string;
  error: unknown;
  /** Set if an earlier reading is still shown: a sentence around {text}, which is the error's text. */
  kept?: string | null;
  onRetry: () => unknown;
};

/** An error of reading from the server, with the reason and a button to try again. */
export function FailedNotice({ title, error, kept = null, onRetry }: Props) {
  const text = errorText(error);
  return (
    <Notice failed icon={mdiAlertCircleOutline} title={title} text={kept === null ? text : fill(kept, { text })}>
      <Button onClick={() => void onRetry()}>{texts.tryAgain}</Button>
    </Notice>
  );
}
