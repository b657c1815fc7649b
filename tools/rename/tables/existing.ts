import type { Rename } from '../rename.ts';

const all = true;

/** Files in which what is known is recognized, determined or visible, rather than there already. */
const KNOWN = new RegExp(
  [
    'base/access/(actors|source-address)|base/config/|ffmpeg\\.test|reference-systems/|http/(content-type|errors)',
    'base/jobs/|hub\\.test|commands/(case|backup)-command|compose/(backups|upkeep)|ais/ais\\.test|reader/rings',
    'archives/import|backups/(facts|keeper|names)|conference/(rooms|routes)|cases/exports/(routes|report-map)',
    'documents/(sniff|PlaceField)|identity/(login|refused-logins|session|routes)|system/checks|readers\\.test',
    'anchors/|csv-header|ingest/(arrange|file-times|health|plausibility)|media\\.test|syslog|play/transfer|disk-use',
    'lossy-aligner|packet-joiner|unaligned|features/intake/(list|intake)|lookback\\.test|updates/run|stored/pace',
    'test/(matroska|recorder|trust)|web/src/activity|web/src/api|ship-trail|base/(units|styles)|CaseDialog|useSaveCase',
    'ExportDialog|call/secrets|place-names|EventsProvider|revoked\\.test|health/Health|CourseCurves|live/clock|fine-base',
    'hls-live|MissionsPanel|AisTimesDialog|RefusedFiles|PlaceReport|missionview/|useTelemetryRows|markdown|add/group',
    'recorder-wire/protocol|rtmp-port|file-clock|hls-source|time-map|\\bais/ranges|password-hashes',
    'e2e/|packages/(bytes|klv|contract|case-package)|position-report|annex-b|segment-map|code-ahead',
    'tools/(check-imports|docs|simulator|mutants|named-paths)|VesselCard|features/samples|live/past-span|uploads/tus-protocol',
  ].join('|'),
);
/** Files that hand the names in use to a field, or a row to a dialog, as a property. */
const PROPERTY =
  /TagsField|BookmarkDialog|dialog\/(GeneralTab|GeneralStep|PresentationStep)|DocumentDialog|backups\/(keep-file|make)|users\/(UsersPanel|useUsers|UserDetail)/;
/** Fields that follow a value from outside. */
const FOLLOWING = /AisFilterBar|SearchField/;

/** Values that are there already exist. */
export const table: Rename[] = [
  { from: 'known', to: 'existing', notIn: new RegExp(`${KNOWN.source}|${PROPERTY.source}|${FOLLOWING.source}`) },
  { from: 'known', to: 'existing', all, in: PROPERTY },
  { from: 'known', to: 'previous', in: FOLLOWING },
  { from: 'known', to: 'cached', in: /ais\/ranges|password-hashes/ },
  { from: 'setKnown', to: 'setPrevious', in: FOLLOWING },
  { from: 'Known', to: 'Existing', in: /tile-sets|hls\/numbering/ },
  { from: 'KnownFiles', to: 'ExistingFiles' },
  { from: 'knownFiles', to: 'existingFiles' },
  { from: 'knownIds', to: 'existingIds' },
  { from: 'checkKnown', to: 'checkExisting' },
  { from: 'knownFacts', to: 'storedFacts' },
  { from: 'knownKey', to: 'cacheKey', in: /password-hashes/ },
  { from: 'KNOWN_MAX', to: 'CACHED_MAX' },
  { from: 'KNOWN_MS', to: 'CACHED_MS' },
];
