import { Box } from '@mui/material';
import { revokedEvent } from '@osprey/contract';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { isCode } from '../base/transport-error.ts';
import { CaseView } from '../cases/case/CaseView.tsx';
import { texts as words } from '../cases/case/texts.ts';
import { CaseContentsContext } from '../cases/content.ts';
import { texts } from '../cases/texts.ts';
import { useCase } from '../cases/useCases.ts';
import { useServerEvent } from '../events/events.ts';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { caseContents } from './case-contents.ts';
import { usePageTitle } from './usePageTitle.ts';

/** Page of one case, given by the address. */
export function CasePage() {
  usePageTitle(texts.title);
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { show } = useSnackbar();
  const read = useCase(id);
  const leave = useEffectEvent(() => {
    show(words.gone, 'warning');
    void navigate('/cases', { replace: true });
  });
  const isGone = isCode(read.error, 'notFound') || isCode(read.error, 'invalid');
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);
  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    if (noun === 'cases' && (all === true || ids.includes(id))) leave();
  });

  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 } }}>
      {read.error !== null && read.data === undefined && !isGone && (
        <FailedNotice title={words.failed} error={read.error} onRetry={read.refetch} />
      )}
      <CaseContentsContext value={caseContents}>
        {read.data && <CaseView key={id} row={read.data} onLeave={() => void navigate('/cases', { replace: true })} />}
      </CaseContentsContext>
    </Box>
  );
}
