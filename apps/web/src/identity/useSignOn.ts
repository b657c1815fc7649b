import { openSingleSignOn } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useSession } from '../api/session.ts';

/**
 * Result of a single sign-on, given in the address when returning from the identity provider; null if there was none.
 */
export type SignOnResult = 'done' | 'failed' | null;

/** Reads the result from the fragment of the address, in which the server puts it. */
export function signOnResult({ hash }: Pick<Location, 'hash'>): SignOnResult {
  const result = new URLSearchParams(hash.slice(1)).get('single-sign-on');
  return result === 'done' || result === 'failed' ? result : null;
}

/** After a successful single sign-on, fetches the session once. */
export function useSignOn(result: SignOnResult, onDone: (from: string | null) => void) {
  const api = useApi();
  const { adopt } = useSession();
  const [state, setState] = useState(result === 'done' ? 'under way' : result);
  const asked = useRef(false);
  const done = useRef(onDone);
  done.current = onDone;

  useEffect(() => {
    if (result !== 'done' || asked.current) return;
    asked.current = true;
    api.call(openSingleSignOn, {}).then(
      async ({ from, ...session }) => {
        await adopt(session);
        done.current(from);
      },
      () => setState('failed'),
    );
  }, [api, adopt, result]);

  return state;
}
