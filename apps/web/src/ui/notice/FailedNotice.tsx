import { mdiAlertCircleOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { texts } from '../texts.ts';
import { Notice } from './Notice.tsx';

type Props = {
  /** Message; if it contains {message}, that is replaced by the reason. */
  title: string;
  error: unknown;
  /** Set if earlier data is still shown: a sentence in which {text} is replaced by the error's text. */
  staleHint?: string | null;
  onRetry: () => unknown;
};

/** Notice for data that could not be loaded, with the reason and a button to try again. */
export function FailedNotice({ title, error, staleHint = null, onRetry }: Props) {
  const text = errorText(error);
  const filled = fill(title, { message: text });
  const reason = filled === title ? text : undefined;
  return (
    <Notice
      failed
      icon={mdiAlertCircleOutline}
      title={filled}
      text={staleHint === null ? reason : fill(staleHint, { text })}
    >
      <Button onClick={() => void onRetry()}>{texts.tryAgain}</Button>
    </Notice>
  );
}
