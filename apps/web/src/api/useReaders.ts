import { getReaders, type ItemName, type Readers } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ShareFields } from '../ui/fields/sharing.ts';
import { useApi } from './api.ts';

const PAUSE_MS = 300;

export type KnownReaders = Pick<ShareFields, 'label' | 'everyone'> & {
  /** Possible readers of an item that is shared in this way; undefined while unknown. */
  readers: Readers | undefined;
  /** True if the request to the server failed. */
  failed: boolean;
};

/**
 * Returns the possible readers of an item with the label and audience of a form. Requested when the form has not
 * changed for a while.
 */
export function useReaders(item: ItemName, { label, everyone, usergroups }: ShareFields): KnownReaders {
  const api = useApi();
  const body = {
    item,
    securityClassification: label,
    audience: everyone ? ('everyone' as const) : ('groups' as const),
    usergroups: everyone ? [] : [...new Set(usergroups)].sort(),
  };
  const requested = JSON.stringify(body);
  const [asked, setAsked] = useState(requested);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(requested), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [requested]);
  const query = useQuery({
    queryKey: ['usergroups', 'readers', body],
    queryFn: ({ signal }) => api.call(getReaders, { body }, { signal }),
    enabled: asked === requested,
    // Always requested again, since accounts may have been added or removed.
    staleTime: 0,
  });
  return { label, everyone, readers: query.isError ? undefined : query.data, failed: query.isError };
}
