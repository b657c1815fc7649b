import type { Rename } from '../rename.ts';

const all = true;

const CACHES =
  /noticed|live-rights|span-extents|pmtiles|sensor-index-cache|clock-levels|telemetry\/reader|last-seen-tiles|support\/stage|live-credentials|recording-notes|trust\/matrix\.test|media-files|bytes-cache/;
/** Tests in which the word stands for what a server stores. */
const STORED =
  /(ClipsPanel|CaseView|features-in-mission|ExportsPart|ProposalDialog|SavedSearches|login|second-factor|snapshots|users|growing-frame|missions)\.test\.tsx?$/;
/** Tests of the map and of children keep the word, as `keepingMap` and `keepRecorder` say it. */
const KEEPING =
  /web\/src\/map\/.*\.test|MissionMap\.test|ship-map\.test|one-recorder|set-aside|trust\/logs|licence\.test|conference\.test|hub\.test|anchor\.test|begin\.test|MissionDialog\.test|peer\.test|holds\.test/;
const STALE =
  /FailedNotice|InPlaceOfRows|MissionsPanel|LivePlatformsTable|UsersTable|(missions|platforms|users)\/texts\.ts/;
const PENDING =
  /packet-joiner|rtp-order|index\/klv-(intake|join)|mpegts\/src\/(timeline|program-streams|picture-gate)|stream\/pipeline|updates\/tar\.ts/;
const GRABBED = /ui\/useDrag|annotations\/draw\/editor|timeline\/(scale|SelectionEnds|Overview|useTrackPointer)/;

/** Lists and buffers retain, caches cache, stores store; missions and cases are on hold, accounts are locked. */
export const table: Rename[] = [
  {
    from: 'kept',
    to: 'retained',
    notIn: new RegExp(
      [CACHES, STORED, KEEPING, STALE, /FloatingPanel|sought-place|failed-file/].map((one) => one.source).join('|'),
    ),
  },
  { from: 'kept', to: 'cached', in: CACHES },
  { from: 'kept', to: 'stored', all, in: STORED },
  { from: 'kept', to: 'stored', in: /FloatingPanel/ },
  { from: 'kept', to: 'signal', in: /sought-place/ },
  { from: 'kept', to: 'staleHint', all, in: STALE },
  { from: 'setKept', to: 'setStored', in: /FloatingPanel/ },
  { from: 'setKept', to: 'setRetained', in: /ExportDialog/ },
  { from: 'Kept', to: 'Cached', in: /media-files|web\/src\/events|first-place/ },
  { from: 'Kept', to: 'Retained', in: /past-telemetry|annotations\/draft|build-file-index/ },
  { from: 'KEPT', to: 'CACHED', in: CACHES },
  { from: 'KEPT', to: 'RETAINED', notIn: CACHES },
  { from: 'KEPT_MAX', to: 'CACHED_MAX', in: /last-seen-tiles/ },
  { from: 'KEPT_MAX', to: 'RETAINED_MAX', notIn: /last-seen-tiles/ },
  { from: 'KEPT_DIRECTORIES', to: 'CACHED_DIRECTORIES' },
  { from: 'KEPT_PER_RUN', to: 'CACHED_PER_RUN' },
  { from: 'MAX_KEPT', to: 'CACHED_MAX' },
  { from: 'EXPORT_KEPT_MS', to: 'EXPORT_RETENTION_MS' },
  { from: 'IMPORT_KEPT_MS', to: 'IMPORT_RETENTION_MS' },
  { from: 'UPLOAD_KEPT_MS', to: 'UPLOAD_RETENTION_MS' },
  { from: 'VERSIONS_KEPT', to: 'VERSIONS_RETAINED' },
  { from: 'VERSIONS_KEPT_US', to: 'VERSIONS_RETENTION_US' },
  { from: 'KEPT_US', to: 'RETENTION_US' },
  { from: 'KEPT_MS', to: 'RETENTION_MS' },
  { from: 'KEPT_S', to: 'RETENTION_S' },
  { from: 'CHAT_KEPT', to: 'CHAT_RETAINED' },
  { from: 'FILES_KEPT', to: 'FILES_RETAINED' },
  { from: 'KEPT_BYTES', to: 'RETAINED_BYTES' },
  { from: 'KEPT_LIMIT', to: 'RETAINED_MAX' },
  { from: 'KEPT_MESSAGES', to: 'RETAINED_MESSAGES' },
  { from: 'KEPT_PICTURES', to: 'RETAINED_PICTURES' },
  { from: 'KEPT_SETS', to: 'RETAINED_SETS' },
  { from: 'KEPT_SIZE', to: 'RETAINED_SIZE' },
  { from: 'KEPT_ARRAY', to: 'RETAINED_ARRAY' },
  { from: 'keptBytes', to: 'retainedBytes', in: /video-feed|ais\/src\/lines/ },
  { from: 'keptStreams', to: 'retainedStreams' },
  { from: 'keptOf', to: 'retainedOf', in: /past-telemetry/ },
  { from: 'shipsKept', to: 'shipsRetained' },
  { from: 'isKept', to: 'isRetained', all, in: /recorder\/stream\/|packet-filter/ },
  { from: 'KeptChild', to: 'SupervisedChild' },
  { from: 'KeptRecorder', to: 'SupervisedRecorder' },
  { from: 'KeptFrame', to: 'StoredFrame' },
  { from: 'onKept', to: 'onSaved', all },
  { from: 'onFirstKept', to: 'onFirstRetained', all },
  { from: 'firstKept', to: 'firstRetained', all },
  { from: 'databaseKept', to: 'databaseSupervised' },
  {
    from: 'held',
    to: 'onHold',
    in: /items\/mission-hold|recordings\/holds\.ts|processes\/old-cases|ingest\/ingest\.ts/,
  },
  { from: 'held', to: 'pending', all, in: PENDING },
  { from: 'Held', to: 'Pending', in: PENDING },
  { from: 'toHeld', to: 'toPending' },
  { from: 'heldLength', to: 'pendingLength', all },
  { from: 'heldArrival', to: 'pendingArrival', all },
  { from: 'heldBytes', to: 'pendingBytes', in: PENDING },
  { from: 'HELD_LIMIT', to: 'PENDING_MAX' },
  { from: 'HELD_MAX', to: 'PENDING_MAX' },
  { from: 'HELD_BYTES_MAX', to: 'PENDING_BYTES_MAX' },
  { from: 'MAX_HELD', to: 'PENDING_MAX' },
  { from: 'MAX_HELD_BYTES', to: 'PENDING_BYTES_MAX' },
  { from: 'held', to: 'buffered', in: /rtmp\/chunks\.ts/ },
  { from: 'held', to: 'count', in: /connection-limit/ },
  { from: 'held', to: 'memberships', in: /open-reads/ },
  { from: 'held', to: 'grabbed', in: GRABBED },
  { from: 'Held', to: 'Grabbed', in: GRABBED },
  { from: 'held', to: 'frozen', in: /held-rows/ },
  { from: 'Held', to: 'Frozen', in: /held-rows/ },
  { from: 'isHeld', to: 'isFrozen', in: /held-rows/ },
  { from: 'setHeld', to: 'setFrozen', in: /held-rows/ },
  { from: 'useHeldRows', to: 'useFrozenRows' },
  { from: 'HeldChip', to: 'FrozenChip' },
  { from: 'held', to: 'frozen', in: /ui\/table\/DataTable/ },
  { from: 'mapHeld', to: 'mapLocked' },
  { from: 'held', to: 'locked', in: /map\/useFrameMap|recorder-lock/ },
  { from: 'refuseHeld', to: 'refuseOnHold' },
  { from: 'HELD_SECONDS', to: 'HOLD_SECONDS' },
  { from: 'HELD_US', to: 'HOLD_US' },
  { from: 'HELD_PARTS', to: 'HOLD_BACK_PARTS' },
  { from: 'isHeld', to: 'isPaused', all, in: /live-mark|LiveMarks/ },
];
