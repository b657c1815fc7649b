import { mdiFilterOffOutline } from '@mdi/js';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { FailedNotice } from '../notice/FailedNotice.tsx';
import { Notice } from '../notice/Notice.tsx';

/** Notice for rows that are hidden by a search or filter. */
export type Hidden = {
  icon?: string;
  texts: { title: string; text: string; clear: string };
  onClear: () => void;
};

type Props = {
  listed: { error: Error | null; loading: boolean; refetch: () => unknown };
  /** Number of visible rows. */
  shown: number;
  failed: string;
  /** Set if rows loaded earlier are still shown: a sentence in which {text} is replaced by the error's text. */
  staleHint?: string | null;
  /** Set if a search or filter hides rows. */
  filtered: Hidden | null;
  /** Notice if there is no row at all. */
  children: ReactNode;
};

/**
 * Shows the message that replaces the rows: the list could not be loaded, nothing matches the filters, or it is empty.
 * Renders nothing while there are rows.
 */
export function InPlaceOfRows({ listed, shown, failed, staleHint = null, filtered, children }: Props) {
  const { error, loading, refetch } = listed;
  if (error !== null) return <FailedNotice title={failed} error={error} staleHint={staleHint} onRetry={refetch} />;
  if (loading || shown > 0) return null;
  if (filtered === null) return children;
  const { icon = mdiFilterOffOutline, texts, onClear } = filtered;
  return (
    <Notice icon={icon} title={texts.title} text={texts.text}>
      <Button onClick={onClear}>{texts.clear}</Button>
    </Notice>
  );
}
