import { mdiAlertCircleOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { texts } from '../texts.ts';
import { Notice } from './Notice.tsx';

type Props = {
  /** With {message} in it, the reason is a part of it. */
  title: string;
  error: unknown;
  /** Set if an earlier reading is still shown: a sentence around {text}, which is the error's text. */
  staleHint?: string | null;
  onRetry: () => unknown;
};

/** An error of reading from the server, with the reason and a button to try again. */
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
