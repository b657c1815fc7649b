import { listUsergroups, type Usergroup } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

const none: Usergroup[] = [];

/** Returns all groups for administrators, and their own groups for all others. If the call fails, the list is empty. */
export function useUsergroups(): readonly Usergroup[] {
  const api = useApi();
  const query = useQuery({
    queryKey: ['usergroups'],
    queryFn: ({ signal }) => api.call(listUsergroups, {}, { signal }),
  });
  return query.data ?? none;
}
