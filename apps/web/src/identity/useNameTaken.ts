import { userExists } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api.ts';

/** Pause in typing, in milliseconds, before the server is asked; it answers only ten such requests per minute. */
const PAUSE_MS = 500;

/** Returns whether an account of this name exists; false while unknown. */
export function useNameTaken(name: string): boolean {
  const api = useApi();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(name), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name]);
  const query = useQuery({
    queryKey: ['users', 'exists', asked],
    queryFn: ({ signal }) => api.call(userExists, { params: { username: asked } }, { signal }),
    enabled: asked !== '',
    retry: false,
    staleTime: 60_000,
  });
  return asked === name && query.data?.exists === true;
}
