import type { Rename } from '../rename.ts';

const all = true;

const CLOCK = /web\/src\/live\/clock\//;
const LIVE = /web\/src\/live\/|e2e\/(live|support\/live|live-player)/;
const INSPECTED = /web\/src\/missions\/(add|dialog)\//;
const AUDIT = /compose\/audit\.ts|features\/(audit|activity)\/|base\/audit\/looks/;
const VIEWING = /features\/conference\/viewers|compose\/conference\.ts|together\/Viewers\.tsx/;

/** Live pictures have a latency and are held at the live edge; people view; files are inspected, and timers check. */
export const table: Rename[] = [
  { from: 'lagS', to: 'latencyS', all, in: CLOCK },
  { from: 'LAG_S', to: 'LATENCY_S' },
  { from: 'aheadS', to: 'bufferedAheadS', all, in: CLOCK },
  { from: 'AHEAD_S', to: 'BUFFERED_AHEAD_S', in: CLOCK },
  { from: 'loadedAhead', to: 'bufferedAhead' },
  { from: 'AHEAD_FIRST_S', to: 'BUFFERED_AHEAD_FIRST_S' },
  { from: 'AHEAD_MOST_S', to: 'BUFFERED_AHEAD_MOST_S' },
  { from: 'aheadMs', to: 'leadMs', all, in: /live-edge/ },
  { from: 'aheadOf', to: 'leadOf', in: /live-edge/ },
  { from: 'delayMs', to: 'latencyMs', all, in: LIVE },
  { from: 'delayShownMs', to: 'shownLatencyMs', all, in: LIVE },
  { from: 'DELAY_GOAL_MS', to: 'LATENCY_GOAL_MS' },
  { from: 'DELAY_WIDTH', to: 'LATENCY_WIDTH' },
  { from: 'delayTitle', to: 'latencyTitle', all, in: LIVE },
  { from: 'delay', to: 'latency', all, in: /live\/(LiveMarks|live-mark|texts)/ },
  { from: 'delays', to: 'latencies', in: /bench\/live-latency/ },
  { from: 'delaysOf', to: 'latenciesOf', in: /bench\/live-latency/ },
  { from: 'delayLine', to: 'latencyLine', in: /bench\/live-latency/ },
  { from: 'stayAtLive', to: 'holdLiveEdge' },
  { from: 'stopStaying', to: 'stopHolding' },
  { from: 'LOOK_MS', to: 'CHECK_MS' },
  { from: 'LOOK_EVERY_MS', to: 'CHECK_EVERY_MS' },
  { from: 'LOOK_AGAIN_MS', to: 'CHECK_AGAIN_MS' },
  { from: 'viewer', to: 'lookTimer', in: /jobs\/runner/ },
  { from: 'look', to: 'viewing', all, in: VIEWING },
  { from: 'looking', to: 'following', in: /compose\/conference\.ts/ },
  { from: 'looks', to: 'isViewing', in: /together\/TogetherBar/ },
  { from: 'Looks', to: 'AuditViews', in: AUDIT },
  { from: 'trailLooks', to: 'auditViews', in: AUDIT },
  { from: 'lookNote', to: 'viewNote', in: AUDIT },
  { from: 'looks', to: 'views', all, in: AUDIT },
  { from: 'FirstLook', to: 'Inspection' },
  { from: 'unknownLook', to: 'emptyInspection' },
  { from: 'lookInto', to: 'inspectBytes', in: INSPECTED },
  { from: 'lookAt', to: 'inspect', all, in: INSPECTED },
  { from: 'lookOnce', to: 'inspectOnce', in: INSPECTED },
  { from: 'LookedFile', to: 'InspectedFile' },
  { from: 'looked', to: 'inspected', all, in: INSPECTED },
  { from: 'setLooked', to: 'setInspected' },
  { from: 'look', to: 'inspection', all, in: INSPECTED },
  { from: 'looks', to: 'inspections', in: INSPECTED },
  { from: 'LOOK_BYTES', to: 'INSPECTED_BYTES', in: INSPECTED },
  { from: 'openViewers', to: 'openInspector', all, in: INSPECTED },
  { from: 'Viewers', to: 'Inspector', in: INSPECTED },
  { from: 'viewers', to: 'inspector', in: INSPECTED },
  { from: 'useLooks', to: 'useInspections' },
  { from: 'LookingDialog', to: 'InspectingDialog' },
];
