import { Box, Button, DialogContent, Skeleton, Stack, Typography } from '@mui/material';
import { type Credential, listCredentials, revokeCredential } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { CredentialLine } from './CredentialLine.tsx';
import { NewApiCredential } from './NewApiCredential.tsx';
import { texts } from './texts.ts';

const words = texts.apiCredentials;
const key = ['credentials'];

/** Dialog with the credentials that programs use for this account. */
export function ApiCredentialsDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => api.call(listCredentials, {}, { signal }) });
  const existing = query.data?.filter(({ forScript }) => forScript);
  const refresh = () => queries.invalidateQueries({ queryKey: key });

  return (
    <PlainDialog title={words.title} onClose={onClose}>
      <DialogContent sx={{ '&&': { pt: 4 } }}>
        <Stack spacing={4}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {words.lead}
          </Typography>
          <NewApiCredential onMade={refresh} />
          {query.isPending && <Skeleton variant="rectangular" height={80} />}
          {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
          {existing?.length === 0 && <Typography variant="body2">{words.none}</Typography>}
          <Box component="ul" aria-label={words.title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {existing?.map((credential) => (
              <Known key={credential._id} credential={credential} onRevoked={refresh} />
            ))}
          </Box>
        </Stack>
      </DialogContent>
    </PlainDialog>
  );
}

function Known({ credential, onRevoked }: { credential: Credential; onRevoked: () => Promise<void> }) {
  const api = useApi();
  const { show } = useSnackbar();
  const { _id, client } = credential;

  async function revoke() {
    try {
      await api.call(revokeCredential, { params: { id: _id } });
      show(words.revoked);
      await onRevoked();
    } catch (error) {
      show(errorText(error), 'error');
    }
  }

  return (
    <CredentialLine credential={credential} name={client}>
      <Button aria-label={fill(words.revokeOf, { name: client })} onClick={() => void revoke()}>
        {words.revoke}
      </Button>
    </CredentialLine>
  );
}
