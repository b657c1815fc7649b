export { hasAisSentence } from './ais-text.ts';
export { eachNalUnit } from './annex-b.ts';
export {
  type Clip,
  type ClipJoint,
  type ClipLabel,
  type ClipOptions,
  type ClipReport,
  createClipJoint,
  openClip,
} from './clip.ts';
export { createDemuxer, type Demuxer, type DemuxOptions } from './demuxer.ts';
export { createFmp4Writer, type Fmp4Writer } from './fmp4-writer.ts';
export { insertMetadata, type MetadataUnit } from './metadata-inserter.ts';
export { type Mp4Clip, type Mp4Options, type Mp4Part, openMp4Clip } from './mp4-clip.ts';
export { createMuxer, type Muxer, type MuxerOptions, type MuxerStream, type MuxerUnit } from './muxer.ts';
export { PACKET_SIZE } from './packet.ts';
export { detectPacketing, type Packeting } from './packeting.ts';
export type { ParameterSets } from './parameter-sets.ts';
export type { PictureStamp } from './picture-stamp.ts';
export { type ReadableAt, readAhead } from './read-ahead.ts';
export { type RunPlace, runPlaces } from './run-place.ts';
export { createSegmentCutter, type SegmentCutter, type SegmentCutterOptions } from './segment-cutter.ts';
export {
  createSegmentMap,
  type Run,
  type Segment,
  type SegmentMap,
  type SegmentMapBuilder,
  type SegmentMapOptions,
} from './segment-map.ts';
export { isSound, isVideo, leadingVideo, unreadVideo } from './stream-kind.ts';
export { distance, TICKS_PER_SECOND } from './timeline.ts';
export type {
  AccessUnit,
  DemuxFault,
  DemuxFaults,
  DemuxHandlers,
  DemuxReport,
  KlvPayload,
  Program,
  ProgramStream,
  StreamKind,
  TablePlace,
  TextPayload,
  VideoFormat,
} from './types.ts';
export { createUnitReader, type UnitReader, type VideoUnit } from './unit-reader.ts';
export { isBrowserPlayable } from './video-format.ts';
