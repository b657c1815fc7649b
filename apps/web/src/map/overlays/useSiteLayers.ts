import { getMapConfig, type MapLayer } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { readSiteLayers, writeSiteLayers } from '../map-storage.ts';

/** Files of the site come and go seldom. */
const GOOD_MS = 60_000;
const NONE: readonly MapLayer[] = [];

export type SiteLayerChoice = {
  layers: readonly MapLayer[];
  shown: readonly MapLayer[];
  toggle: (id: string) => void;
};

/** The tile sets of this site, and which of them this user wants to see; remembered for each user of the browser. */
export function useSiteLayers(draw: ((layers: readonly MapLayer[]) => void) | null): SiteLayerChoice {
  const api = useApi();
  const username = useSession().actor?.username ?? '';
  const [chosen, setChosen] = useState(() => readSiteLayers(username));
  const { data } = useQuery({
    queryKey: ['mapconfig'],
    // The map comes after the first picture, and so do its layers.
    enabled: draw !== null,
    staleTime: GOOD_MS,
    queryFn: () => api.call(getMapConfig, {}),
  });
  const layers = data?.layers ?? NONE;
  const shown = useMemo(() => layers.filter(({ _id }) => chosen.includes(_id)), [layers, chosen]);

  useEffect(() => draw?.(shown), [draw, shown]);

  function toggle(id: string) {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    setChosen(next);
    writeSiteLayers(username, next);
  }
  return { layers, shown, toggle };
}
