import { mdiAlertCircleOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { texts } from '../texts.ts';
import { Notice } from './Notice.tsx';

type Props = {
  title: string;
  error: unknown;
  /** Where an earlier reading still stands: a sentence around {text}, which is what the error says. */
  kept?: string | null;
  onRetry: () => unknown;
};

/** What could not be read from the server, and why, with the way to try it again. */
export function FailedNotice({ title, error, kept = null, onRetry }: Props) {
  const text = errorText(error);
  return (
    <Notice failed icon={mdiAlertCircleOutline} title={title} text={kept === null ? text : fill(kept, { text })}>
      <Button onClick={() => void onRetry()}>{texts.tryAgain}</Button>
    </Notice>
  );
}
