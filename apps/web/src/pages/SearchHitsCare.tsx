import { searchHitEvent } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { texts } from '../coverage/hits/texts.ts';
import { HITS_KEY, hitText, useSearchHits } from '../coverage/hits/useSearchHits.ts';
import { addressOfSpan } from '../coverage/span-address.ts';
import { useServerEvent } from '../events/events.ts';
import { forgetActivityNews, setActivityNews } from '../missions/tray/activity-news.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';

/** Reports hits of saved searches on every page, with a link to them, and shows their number in Activity. */
export function SearchHitsCare() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { show } = useSnackbar();
  const { data: hits } = useSearchHits();

  useServerEvent(searchHitEvent, (hit) => {
    show(hitText(hit), 'info', { label: texts.show, onClick: () => void navigate(addressOfSpan(hit)) });
    void queries.invalidateQueries({ queryKey: HITS_KEY });
  });

  const all = hits?.length ?? 0;
  const unseen = hits?.filter(({ seen }) => !seen).length ?? 0;
  useEffect(() => setActivityNews({ all, unseen }), [all, unseen]);
  // Hits belong to one account, so they are cleared when it leaves.
  useEffect(() => forgetActivityNews, []);
  return null;
}
