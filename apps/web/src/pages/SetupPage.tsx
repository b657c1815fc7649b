import { mdiAlertCircleOutline, mdiCheckCircleOutline } from '@mdi/js';
import { Button, Skeleton } from '@mui/material';
import { getSetup } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { useApi } from '../api/api.ts';
import { errorText } from '../base/transport-error.ts';
import { EntryPage } from '../identity/EntryPage.tsx';
import { SetupForm } from '../identity/SetupForm.tsx';
import { texts as identity } from '../identity/texts.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

/**
 * Returns the one-time code of the link printed on the console: from the fragment, which never appears in a log, or
 * from the query.
 */
function codeOf({ hash, search }: Pick<Location, 'hash' | 'search'>): string {
  return new URLSearchParams(hash.slice(1)).get('code') ?? new URLSearchParams(search).get('code') ?? '';
}

export function SetupPage() {
  usePageTitle(texts.titles.setup);
  const api = useApi();
  const navigate = useNavigate();
  // The code is read from the current location, since opening the link while the page is shown changes only the
  // address.
  const code = codeOf(useLocation());
  const words = identity.setup;
  const query = useQuery({ queryKey: ['setup'], queryFn: ({ signal }) => api.call(getSetup, {}, { signal }) });

  return (
    <EntryPage title={words.title} {...(query.data?.needed !== false && { lead: words.lead })}>
      {query.isPending && <Skeleton variant="rectangular" height={280} />}
      {query.isError && (
        <Notice failed icon={mdiAlertCircleOutline} title={errorText(query.error)}>
          <Button onClick={() => void query.refetch()}>{ui.tryAgain}</Button>
        </Notice>
      )}
      {query.data?.needed === false && (
        <Notice icon={mdiCheckCircleOutline} title={words.already}>
          <Button onClick={() => void navigate('/login', { replace: true })}>{words.toLogin}</Button>
        </Notice>
      )}
      {query.data?.needed && (
        <SetupForm code={code} {...query.data} onDone={() => void navigate('/missions', { replace: true })} />
      )}
    </EntryPage>
  );
}
