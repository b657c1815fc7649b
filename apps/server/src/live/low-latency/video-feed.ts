import { createFmp4Writer, createUnitReader, type Fmp4Writer, type VideoUnit } from '@osprey/mpegts';
import { COMPLETE_PACKETS } from '../../recorder-wire/packeting.ts';

/** Format and init segment that a player needs before the pictures that follow. */
export type VideoHead = {
  mimeType: string;
  /** PTS in 90 kHz ticks at media time 0. */
  firstPts: number;
  init: Uint8Array;
};

export type Picture = { bytes: Uint8Array; keyframe: boolean };

export type FeedViewer = {
  begin(head: VideoHead): void;
  picture(picture: Picture): void;
  /** Called when no pictures will come. `text` is a message for the user. */
  impossible(text: string): void;
};

/** The video of one live sensor, remuxed once for all viewers. */
export type VideoFeed = {
  /** Processes transport packets; `lost` is true if packets before them are missing. */
  push(packets: Uint8Array, lost: boolean): void;
  /** Adds a viewer, starting with the last key frame; returns the function that removes it. */
  join(viewer: FeedViewer): () => void;
};

/**
 * Maximum number of pictures and bytes cached after a key frame; if there are more, a new viewer waits for the next key
 * frame.
 */
const RETAINED_PICTURES = 600;
const RETAINED_BYTES = 16 * 1024 * 1024;
/** Gap between the last picture of one clock run and the first of the next, in 90 kHz ticks. */
const JOINT_TICKS = 3600;

export function videoFeed(): VideoFeed {
  const viewers = new Set<FeedViewer>();
  const reader = createUnitReader({ unit: add }, { packeting: COMPLETE_PACKETS });
  let writer: Fmp4Writer | null = null;
  let head: VideoHead | null = null;
  let sets: VideoUnit['sets'] = null;
  let run = 0;
  let mediaTicks = -JOINT_TICKS;
  /** Pictures from the last key frame on; empty if a new viewer has to wait for the next key frame. */
  let retained: Picture[] = [];
  let retainedBytes = 0;
  let refusal: string | null = null;

  function add(unit: VideoUnit): void {
    if (unit.kind === 'mpeg2') refuse('This stream is MPEG-2 video, which browsers do not play.');
    if (unit.kind === 'mpeg4') refuse('This stream is MPEG-4 part 2 video, which browsers do not play.');
    if (unit.sets === null || unit.format === null) return;
    refusal = null;
    if (writer === null || unit.sets !== sets || unit.run !== run) begin(unit);
    mediaTicks = unit.dtsTicks - head!.firstPts;
    const picture = { bytes: writer!.fragment(unit), keyframe: unit.keyframe };
    keep(picture);
    for (const viewer of viewers) viewer.picture(picture);
  }

  /** Reports to viewers that the video cannot be shown; this remains so as long as the stream has this codec. */
  function refuse(text: string): void {
    refusal = text;
    writer = null;
    head = null;
    for (const viewer of viewers) viewer.impossible(text);
  }

  /** Begins a new format. Media time continues without a jump if the stream's clock jumps. */
  function begin({ sets: now, format, dtsTicks, run: nowRun }: VideoUnit): void {
    const firstPts = dtsTicks - mediaTicks - JOINT_TICKS;
    writer = createFmp4Writer({ format: format!, sets: now!, firstTicks: firstPts });
    head = { mimeType: writer.mimeType, firstPts, init: writer.init };
    sets = now;
    run = nowRun;
    retained = [];
    retainedBytes = 0;
    for (const viewer of viewers) viewer.begin(head);
  }

  function keep(picture: Picture): void {
    if (picture.keyframe) {
      retained = [];
      retainedBytes = 0;
    } else if (retained.length === 0) return;
    retained.push(picture);
    retainedBytes += picture.bytes.length;
    if (retained.length > RETAINED_PICTURES || retainedBytes > RETAINED_BYTES) retained = [];
  }

  return {
    push(packets, lost) {
      if (lost) reader.lose();
      reader.push(packets);
    },
    join(viewer) {
      viewers.add(viewer);
      if (refusal !== null) viewer.impossible(refusal);
      if (head !== null) {
        viewer.begin(head);
        for (const picture of retained) viewer.picture(picture);
      }
      return () => void viewers.delete(viewer);
    },
  };
}
