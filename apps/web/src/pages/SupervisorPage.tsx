import { mdiMonitorEye } from '@mdi/js';
import { Button } from '@mui/material';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import { useSession } from '../api/session.ts';
import { texts } from '../system/texts.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { usePageTitle } from './usePageTitle.ts';

const words = texts.supervisor;

/** Redirects to the configured address; shows a message if there is none, or the user may not see it. */
export function SupervisorPage() {
  usePageTitle(words.title);
  const { info } = useSession();
  const url = info?.supervisorUrl ?? null;
  useEffect(() => {
    if (url !== null) location.replace(url);
  }, [url]);
  if (url !== null) return null;
  return (
    <Notice icon={mdiMonitorEye} title={words.none} text={words.text}>
      <Button component={RouterLink} to="/missions">
        {words.back}
      </Button>
    </Notice>
  );
}
