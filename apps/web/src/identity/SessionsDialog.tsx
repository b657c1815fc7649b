import { mdiAlertCircleOutline } from '@mdi/js';
import { Box, Button, Dialog, DialogContent, Skeleton, Stack, Typography, useMediaQuery } from '@mui/material';
import { type Credential, listCredentials, revokeCredential } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useApi } from '../api/api.ts';
import { errorText } from '../api/transport-error.ts';
import { clientText } from '../app/client-text.ts';
import { fill, formatTime } from '../app/format.ts';
import { DialogHead } from '../ui/DialogHead.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useSnackbar } from '../ui/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { unlessDoubleClick } from '../ui/unlessDoubleClick.ts';
import { texts } from './texts.ts';

const words = texts.sessions;
const key = ['credentials'];

/** The device credentials of the own account, each of which can be ended from here. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const titleId = useId();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => api.call(listCredentials, {}, { signal }) });

  const sessions = query.data?.filter(({ forScript }) => !forScript);

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
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3 }}>
          {words.lead}
        </Typography>
        {query.isPending && <Skeleton variant="rectangular" height={120} />}
        {query.isError && (
          <Notice failed icon={mdiAlertCircleOutline} title={words.failed} text={errorText(query.error)}>
            <Button onClick={() => void query.refetch()}>{ui.tryAgain}</Button>
          </Notice>
        )}
        <Stack component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {sessions?.map((credential) => (
            <Session key={credential._id} credential={credential} />
          ))}
        </Stack>
        {sessions?.length === 0 && words.none}
      </DialogContent>
    </Dialog>
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
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        alignItems: 'center',
        py: 3,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{clientText(credential.client)}</Box>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {fill(words.facts, {
            address: credential.address,
            used: formatTime(credential.lastUsed),
            expires: formatTime(credential.expires),
          })}
        </Typography>
      </Box>
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
    </Box>
  );
}
