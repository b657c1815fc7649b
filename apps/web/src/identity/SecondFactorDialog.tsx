import { Button, DialogContent, Skeleton, Stack, Typography } from '@mui/material';
import { getSecondFactor, type SecondFactorState } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill, formatCount, formatTime } from '../base/format.ts';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RemoveSecondFactor } from './RemoveSecondFactor.tsx';
import { RenewRecoveryCodes } from './RenewRecoveryCodes.tsx';
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx';
import { texts } from './second-factor-texts.ts';

const words = texts.dialog;
const key = ['second-factor'];

/** Dialog for the second factor of the user's account: to set it up, renew its recovery codes, or remove it. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => api.call(getSecondFactor, {}, { signal }) });
  const refresh = () => queries.invalidateQueries({ queryKey: key });

  async function keep(fresh: readonly string[]) {
    setCodes(fresh);
    await refresh();
  }

  function content() {
    if (codes) return <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />;
    if (query.isPending) return <Skeleton variant="rectangular" height={120} />;
    if (query.isError) {
      return <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />;
    }
    if (!query.data.enabled) return <SetUpSecondFactor onCodes={keep} />;
    return <Enabled state={query.data} onCodes={keep} onRemoved={refresh} />;
  }

  return (
    <PlainDialog title={codes ? texts.codes.title : words.title} width="xs" onClose={onClose}>
      <DialogContent sx={{ '&&': { pt: 4 } }}>{content()}</DialogContent>
    </PlainDialog>
  );
}

type EnabledProps = {
  state: SecondFactorState;
  onCodes: (codes: readonly string[]) => Promise<void>;
  onRemoved: () => Promise<void>;
};

function Enabled({ state, onCodes, onRemoved }: EnabledProps) {
  const [doing, setDoing] = useState<'renew' | 'remove' | null>(null);
  const back = () => setDoing(null);
  if (doing === 'renew') return <RenewRecoveryCodes onCodes={onCodes} onBack={back} />;
  if (doing === 'remove') return <RemoveSecondFactor onRemoved={onRemoved} onBack={back} />;
  return (
    <Stack spacing={3}>
      <Typography>{fill(words.on, { since: formatTime(state.since ?? 0) })}</Typography>
      <Typography>{leftText(state.recoveryCodesLeft)}</Typography>
      {state.demanded && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.demanded}
        </Typography>
      )}
      <Stack direction="row" spacing={2}>
        <Button onClick={() => setDoing('renew')}>{words.renew}</Button>
        {!state.demanded && (
          <Button color="error" onClick={() => setDoing('remove')}>
            {words.remove}
          </Button>
        )}
      </Stack>
    </Stack>
  );
}

function leftText(count: number): string {
  return count === 0 ? words.leftNone : formatCount(count, words.left);
}
