import { mdiBellOutline } from '@mdi/js';
import { Box, Button, Link } from '@mui/material';
import { clearSearchHits, type SearchHit, seeSearchHits } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../../api/api.ts';
import { fill, formatTimeSeconds } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { addressOfSpan } from '../span-address.ts';
import { texts } from './texts.ts';
import { HITS_KEY, hitText, useSearchHits } from './useSearchHits.ts';

/**
 * Lists the hits of the account's saved searches, and marks them as seen once they are shown. Renders nothing if there
 * are none.
 */
export function SearchHits() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { data: hits = [], error, refetch } = useSearchHits();
  const isNew = hits.some(({ seen }) => !seen);

  useEffect(() => {
    if (!isNew) return;
    api.call(seeSearchHits, {}).then(
      () => queries.invalidateQueries({ queryKey: HITS_KEY }),
      // If this fails, the hits remain new; they are marked as seen the next time they are shown.
      () => undefined,
    );
  }, [api, queries, isNew]);

  async function clear() {
    try {
      await api.call(clearSearchHits, {});
      queries.setQueryData<SearchHit[]>(HITS_KEY, []);
      show(texts.cleared, 'success');
    } catch (reason) {
      show(fill(texts.clearFailed, { text: errorText(reason) }), 'error');
    }
  }

  if (error) return <FailedNotice title={texts.failed} error={error} onRetry={refetch} />;
  if (hits.length === 0) return null;
  return (
    <Box component="section" aria-label={texts.title} sx={{ borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', px: 3, pt: 1 }}>
        <Box sx={{ flex: 1, fontSize: 12, color: 'text.secondary' }}>{texts.title}</Box>
        <Button variant="text" onClick={() => void clear()}>
          {texts.clear}
        </Button>
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {hits.map((hit) => (
          <HitRow key={hit._id} hit={hit} />
        ))}
      </Box>
    </Box>
  );
}

function HitRow({ hit }: { hit: SearchHit }) {
  const { securityClassification, marked, mission, sensor, first } = hit;
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 3, py: 2 }}>
      <Icon path={mdiBellOutline} sx={{ color: hit.now ? 'primary.main' : 'text.secondary', flex: 'none' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, overflowWrap: 'anywhere' }}>
          <ShownMark label={securityClassification} marked={marked} />
          <Link component={RouterLink} to={addressOfSpan(hit)}>
            {hitText(hit)}
          </Link>
          <Box component="span" sx={{ ml: 'auto', fontSize: 12, color: 'text.secondary' }}>
            {formatTimeSeconds(first)} Z
          </Box>
        </Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {mission}, {sensor}
        </Box>
      </Box>
    </Box>
  );
}
