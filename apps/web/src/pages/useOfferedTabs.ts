import { useMemo } from 'react';
import { useSession } from '../api/session.ts';
import type { HostedTab } from './TabHost.tsx';

/** The tabs that this installation has. */
export function useOfferedTabs(tabs: readonly HostedTab[]): readonly HostedTab[] {
  const { info } = useSession();
  return useMemo(
    () => tabs.filter(({ isOffered }) => isOffered === undefined || (info !== null && isOffered(info))),
    [tabs, info],
  );
}
