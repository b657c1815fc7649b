import { getSeenExtent } from '@osprey/contract';
import { useEffect } from 'react';
import { useApi } from '../api/api.ts';
import { provideSiteExtent } from '../map/site-extent.ts';

/** Where maps open that nobody has moved yet: on what this account may see. */
export function SiteExtent() {
  const api = useApi();
  useEffect(() => provideSiteExtent(async () => (await api.call(getSeenExtent, {})).extent), [api]);
  return null;
}
