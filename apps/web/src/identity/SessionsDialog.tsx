import { Button, DialogContent, Skeleton, Stack, Typography } from '@mui/material';
import { type Credential, listCredentials, revokeCredential } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { clientText } from '../base/client-text.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { CredentialLine } from './CredentialLine.tsx';
import { texts } from './texts.ts';

const words = texts.sessions;
const key = ['credentials'];

/** Dialog with the device credentials of the user's account, each of which can be ended. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => api.call(listCredentials, {}, { signal }) });

  const sessions = query.data?.filter(({ forScript }) => !forScript);

  return (
    <PlainDialog title={words.title} onClose={onClose}>
      <DialogContent sx={{ '&&': { pt: 4 } }}>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3 }}>
          {words.lead}
        </Typography>
        {query.isPending && <Skeleton variant="rectangular" height={120} />}
        {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
        <Stack component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {sessions?.map((credential) => (
            <Session key={credential._id} credential={credential} />
          ))}
        </Stack>
        {sessions?.length === 0 && words.none}
      </DialogContent>
    </PlainDialog>
  );
}

function Session({ credential }: { credential: Credential }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  async function revoke() {
    setBusy(true);
    try {
      await api.call(revokeCredential, { params: { id: credential._id } });
      show(words.revoked);
      await queries.invalidateQueries({ queryKey: key });
    } catch (error) {
      show(errorText(error), 'error');
      setBusy(false);
    }
  }

  return (
    <CredentialLine credential={credential} name={clientText(credential.client)}>
      {credential.current ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.current}
        </Typography>
      ) : (
        <Button
          disabled={busy}
          aria-label={fill(words.revokeOf, { client: clientText(credential.client) })}
          onClick={() => void revoke()}
        >
          {words.revoke}
        </Button>
      )}
    </CredentialLine>
  );
}
