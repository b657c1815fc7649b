import type { HostedTab } from './TabHost.tsx';

/** Tabs below the stage of missions and of live streams, after the tab of the page itself. */
export const viewTabs: readonly HostedTab[] = [];
