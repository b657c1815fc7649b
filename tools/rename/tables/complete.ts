import type { Rename } from '../rename.ts';

const all = true;

const INTEGER = /simulator\/src\/resolve-options|coverage\/find\/FindFilters/;
const SPAN =
  /web\/src\/timeline\/(Overview|SelectionEnds|TimeSlider|Timeline|marks|marks\.test|scale|scale\.test|useTimelineView|useTrackPointer)\.|past\/PastTimeline/;
/** Files in which the word is a field of an object: ends of a clip, a file that was read to its end, a fragment. */
const FIELD =
  /mpegts\/src\/(muxer|clip|clip-restarts\.test|clip\.test|mp4-clip|mp4-clip\.test|picture-gate|metadata-cells|metadata-inserter)|clips\/(plan|repository|make|in-background)|uploads\/(judge|sniff|archive-job|local-file|multipart|tus\.ts)|archives\/import-task|clips\/(cut|label)|codings\.test|trust\/fuzz-|documents\/sniff|documents\/encoding|bench\/clip/;
const READERS =
  /annotations\/reader\/child|documents\/reader\/child|updates\/tar\.test|backups\/(target|proof|manifest|routes)\.ts/;
/** Whole numbers, the match of a pattern, and names of files and logs keep the word. */
const WHOLE =
  /backups\/|session-ceiling|source-address|control\/recording\.test|stream\/tables|clips\/clips\.test|recordings\/mend|features\/audit|commands\/audit|ais\/batch|ais\/export\.test|base\/(format|seconds)|compare\/comparison|sidecars\/(columns|csv-time|srt-cues)|duration-text|dms|parse-place|telemetry\/records|clips\/address|block-writer|graticule|reference-systems|check-imports|config\/config|PresentationStep|reader\/(image|properties|gather|geo\.test)|last-seen|json-lines|live-sensor|find\/find|quadrangle|simplify|spread|annotations\/draw\/hit|web\/src\/events|platforms\/read-file|slow-connections|conference|line-up|tiles\/pmtiles|ship-feed|klv-clock|stored\/stored-files|documents\/file-routes|shown-program|chunks\.test|storage\.contract|annotations\/(repository|annotations\.test)|damaged\.test|e2e\/|snapshots\/archive|geo\/src|case-package|documents\/broken-download/;

const others = new RegExp([INTEGER, SPAN, FIELD, READERS, WHOLE].map((one) => one.source).join('|'));

/** Values without a missing part are complete. */
export const table: Rename[] = [
  { from: 'whole', to: 'complete', notIn: others },
  { from: 'whole', to: 'integer', all, in: INTEGER },
  { from: 'whole', to: 'fullSpan', all, in: SPAN },
  { from: 'whole', to: 'complete', all, in: FIELD },
  { from: 'whole', to: 'readAll', in: READERS },
  { from: 'whole', to: 'completeLength', in: /recordings\/mend/ },
  { from: 'WHOLE', to: 'COMPLETE', notIn: /tools\/(soak|mutants)/ },
  { from: 'isWhole', to: 'isComplete', all },
  { from: 'hasWhole', to: 'hasComplete', all },
  { from: 'decodeWhole', to: 'decodeComplete', all },
  { from: 'readWhole', to: 'readAll', all },
  { from: 'wholeFile', to: 'fileBytes', all },
  { from: 'writeWhole', to: 'writeAtomic', all },
  { from: 'wholeRelease', to: 'completeRelease', all },
  { from: 'wholeAddress', to: 'fullAddress', all },
  { from: 'wholeBytes', to: 'completeBytes', all },
  { from: 'wholeLines', to: 'completeLines', all },
  { from: 'wholePackets', to: 'completePackets', all },
  { from: 'wholePictures', to: 'completePictures', all },
  { from: 'WHOLE_PACKETS', to: 'COMPLETE_PACKETS' },
  { from: 'WHOLE_SET', to: 'COMPLETE_SET' },
  { from: 'WholeFile', to: 'CompleteFile' },
  { from: 'rangeOfWhole', to: 'rangeOfFile', all },
  { from: 'uploadWhole', to: 'uploadComplete', all },
  { from: 'expectWholeRecording', to: 'expectCompleteRecording' },
  { from: 'unitIsWhole', to: 'isUnitComplete' },
  { from: 'isIndexWhole', to: 'isIndexComplete' },
  { from: 'endOfWholeKlv', to: 'endOfCompleteKlv' },
  { from: 'playsWhole', to: 'playsComplete' },
  { from: 'goneWhole', to: 'goneComplete' },
];
