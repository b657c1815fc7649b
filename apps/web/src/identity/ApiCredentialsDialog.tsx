import { mdiAlertCircleOutline } from '@mdi/js';
import { Box, Button, Dialog, DialogContent, Skeleton, Stack, Typography, useMediaQuery } from '@mui/material';
import { type Credential, listCredentials, revokeCredential } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from '../api/api.ts';
import { errorText } from '../api/transport-error.ts';
import { fill, formatTime } from '../app/format.ts';
import { DialogHead } from '../ui/DialogHead.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useSnackbar } from '../ui/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { unlessDoubleClick } from '../ui/unlessDoubleClick.ts';
import { NewApiCredential } from './NewApiCredential.tsx';
import { texts } from './texts.ts';

const words = texts.apiCredentials;
const key = ['credentials'];

/** Credentials that programs of this account use. */
export function ApiCredentialsDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const titleId = useId();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => api.call(listCredentials, {}, { signal }) });
  const known = query.data?.filter(({ forScript }) => forScript);
  const refresh = () => queries.invalidateQueries({ queryKey: key });

  return (
    <Dialog
      open
      onClose={unlessDoubleClick(onClose)}
      aria-labelledby={titleId}
      fullScreen={narrow}
      fullWidth
      maxWidth="sm"
    >
      <DialogHead title={words.title} titleId={titleId} onClose={onClose} />
      <DialogContent sx={{ '&&': { pt: 4 } }}>
        <Stack spacing={4}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {words.lead}
          </Typography>
          <NewApiCredential onMade={refresh} />
          {query.isPending && <Skeleton variant="rectangular" height={80} />}
          {query.isError && (
            <Notice failed icon={mdiAlertCircleOutline} title={words.failed} text={errorText(query.error)}>
              <Button onClick={() => void query.refetch()}>{ui.tryAgain}</Button>
            </Notice>
          )}
          {known?.length === 0 && <Typography variant="body2">{words.none}</Typography>}
          <Box component="ul" aria-label={words.title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {known?.map((credential) => (
              <Known key={credential._id} credential={credential} onRevoked={refresh} />
            ))}
          </Box>
        </Stack>
      </DialogContent>
    </Dialog>
  );
}

function Known({ credential, onRevoked }: { credential: Credential; onRevoked: () => Promise<void> }) {
  const api = useApi();
  const { show } = useSnackbar();
  const { _id, client, address, lastUsed, expires } = credential;

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
    <Box
      component="li"
      sx={{ display: 'flex', gap: 2, alignItems: 'center', py: 3, borderTop: 1, borderColor: 'divider' }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{client}</Box>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {fill(texts.sessions.facts, { address, used: formatTime(lastUsed), expires: formatTime(expires) })}
        </Typography>
      </Box>
      <Button aria-label={fill(words.revokeOf, { name: client })} onClick={() => void revoke()}>
        {words.revoke}
      </Button>
    </Box>
  );
}
