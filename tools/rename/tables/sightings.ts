import type { Rename } from '../rename.ts';

const all = true;

/** Shapes intersect, rows are visible, and viewers watch. The map's `sight` is the line of sight, and stays. */
export const table: Rename[] = [
  { from: 'isMet', to: 'intersecting', all, in: /coverage\/postgis\.test|coverage\/readable/ },
  { from: 'isMet', to: 'isIntersecting', in: /coverage\/simulated\.test|packages\/geo\// },
  { from: 'met', to: 'inFrame', in: /features\/ais\/(?:filmed|in-frame)|geo\/src\/vessel\/in-frame/ },
  { from: 'Met', to: 'InFrame', in: /geo\/src\/vessel\/in-frame/ },
  {
    from: 'met',
    to: 'intersecting',
    in: /server\/test\/seen-seconds|geo\/src\/coverage-(?:lookback|target|sought)\.test/,
  },
  { from: 'secondsMet', to: 'secondsIntersecting' },
  { from: 'Sight', to: 'Visibility', in: /base\/ws\/delivery/ },
  { from: 'sightByKey', to: 'visibilityByKey' },
  { from: 'sight', to: 'visibleNow', in: /base\/ws\/lost-rights\.test/ },
  { from: 'addOutOfSight', to: 'addNoLongerVisible' },
  { from: 'LiveSight', to: 'LiveAccess' },
  { from: 'LiveSightDeps', to: 'LiveAccessDeps' },
  { from: 'liveSight', to: 'liveAccess' },
  {
    from: 'sight',
    to: 'access',
    all,
    in: /compose\/(?:hls|live-watching|live|clips|features)\.ts|server\/src\/live\/(?:hls|low-latency|whep)\/|clips\/ring/,
  },
  { from: 'Sight', to: 'Observation', in: /coverage\/search-watch\.ts/ },
  { from: 'sight', to: 'observation', in: /coverage\/search-watch\.ts/ },
  { from: 'Sight', to: 'ShipScope', in: /ais\/compare\// },
  { from: 'sight', to: 'scope', all, in: /ais\/compare\// },
  { from: 'useShipsInSight', to: 'useShipsInScope' },
  { from: 'isInSight', to: 'isInView' },
  { from: 'bringIntoSight', to: 'bringIntoView' },
  { from: 'sightOf', to: 'viewKeyOf' },
  { from: 'sight', to: 'viewKey', in: /events\/EventsProvider/ },
  { from: 'leaveFirstSight', to: 'removeFirstPicture' },
  { from: 'showFirstSight', to: 'showFirstPicture' },
  { from: 'sight', to: 'shownPicture', in: /player\/first\/begin\.ts$/ },
  { from: 'sight', to: 'firstPicture', in: /player\/first\/begin\.test/ },
  { from: 'untidiedJobs', to: 'cleanupPendingJobs' },
  { from: 'markTidied', to: 'markCleanedUp' },
];
