import type { Rename } from '../rename.ts';

const all = true;
const WITH_PARTS =
  /(?:upkeep|archives\/exports|damaged-routes|live-clips|coverage\/find|last-seen|lookback|broken-download|intake|missions\/bin|missions\/rename|video-list|retention|samples|growing-frame|rows\/closing|live-coverage|live-shapes|mend-index|ingest\/read-again|play\/damaged|matrix-lists)\.test|test\/server\.ts/;
const VIEW =
  /^apps\/web\/src\/(?:ais\/(?:compare|map|ship-feed|ShipsOfPage)|coverage\/(?:last-seen|play|useLastSeenOverlay)|live\/|map\/|missions\/map-query|missionview\/|onscreen\/|pages\/|past\/|player\/|telemetry\/|timeline\/|annotations\/useAnnotationsOverlay|conference\/together\/(?:lead|useTogetherView))/;
/** Their parts are those of a drawing, a set, a stream or a page. */
const NOT_VIEW =
  /map\/drawings\.test|ais\/map\/selection|set-parts|SetParts|dialog-labels|TabHost|LivePage\.tsx|missionview\/feature\.ts|player\/hls\/|useLiveMember|stage-grid/;

/** Dependencies of the server's features, and services that the panes of one view share. A part is a case's, or of a container. */
export const table: Rename[] = [
  { from: 'CommonParts', to: 'Dependencies', all },
  { from: 'commonParts', to: 'openDependencies', all },
  { from: 'ApiParts', to: 'ApiDependencies', all },
  { from: 'keepingParts', to: 'keepingDependencies', all },
  { from: 'PartsOptions', to: 'DependenciesOptions', all },
  {
    from: 'parts',
    to: 'dependencies',
    all,
    in: /apps\/server\/(?:test\/|.*\.test\.ts$)/,
    of: /^(?:server|here|there|strict|on)$/,
  },
  { from: 'parts', to: 'dependencies', all, in: /server\/src\/compose\//, notIn: /\.test\.ts$/ },
  { from: 'parts', to: 'dependencies', all, in: WITH_PARTS },
  { from: 'parts', to: 'dependencies', in: /cases\/shared-parts\.test|cases\/exports\/exports\.test/ },
  { from: 'ViewParts', to: 'ViewServices', all },
  { from: 'useParts', to: 'useViewServices', all },
  { from: 'PartsContext', to: 'ViewServicesContext', all },
  { from: 'viewParts', to: 'viewServices', all },
  { from: 'LiveParts', to: 'LiveServices', all },
  { from: 'useLiveParts', to: 'useLiveServices', all },
  { from: 'LivePartsContext', to: 'LiveServicesContext', all },
  { from: 'useNewLiveParts', to: 'useNewLiveServices', all },
  { from: 'useMissionParts', to: 'useMissionServices', all },
  { from: 'usePastParts', to: 'usePastServices', all },
  { from: 'parts', to: 'services', all, in: VIEW, notIn: NOT_VIEW },
  { from: 'parts', to: 'panes', all, in: /StageFrame|missionview\/Stage\.tsx|LiveStage/ },
];
