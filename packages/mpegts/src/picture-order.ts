import type { RawKlv } from './raw-klv.ts';

/** Number of pictures after which the order of KLV and pictures in a stream is decided. */
const ORDER_PICTURES = 3;
/**
 * Maximum number of payloads that wait for the order; if it is exceeded, they are delivered with the last known time.
 */
const WAITING_MAX = 64;
const WAITING_BYTES_MAX = 1024 * 1024;

/** Calls listeners for each picture of a program's leading video, in the order of the multiplex. */
export type Pictures = {
  /** Reports a picture to the listeners once its unwrapped PTS (90 kHz ticks) and its run are known. */
  seen(ticks: number, run: number): void;
  /** Adds a listener; the returned function removes it. */
  listen(onPicture: (ticks: number, run: number) => void): () => void;
  /** True if the program has a video. Only then does KLV without PTS wait for a picture. */
  expected: boolean;
  /** True once the first picture has been reported. */
  begun: boolean;
};

export function createPictures(): Pictures {
  const listeners = new Set<(ticks: number, run: number) => void>();
  const pictures: Pictures = {
    expected: false,
    begun: false,
    seen(ticks, run) {
      pictures.begun = true;
      for (const onPicture of listeners) onPicture(ticks, run);
    },
    listen(onPicture) {
      listeners.add(onPicture);
      return () => listeners.delete(onPicture);
    },
  };
  return pictures;
}

type Options = {
  pictures: Pictures;
  /** Delivers a payload, with the `ticks` of its picture. */
  give(raw: RawKlv, ticks: number | null, run: number): void;
  /** Returns the last known time and its run. */
  last(): { ticks: number | null; run: number };
};

/** Assigns KLV that has no PTS to a picture. */
export type PictureOrder = {
  add(raw: RawKlv): void;
  end(): void;
};

/**
 * Assigns KLV without PTS (MISB ST 1402, asynchronous) to an adjacent picture in the multiplex. If some KLV came before
 * the first picture and before each of the next ones, KLV belongs to the picture after it; otherwise to the one before
 * it.
 */
export function createPictureOrder({ pictures, give, last }: Options): PictureOrder {
  let order: 'unknown' | 'before' | 'after' = 'unknown';
  let waiting: RawKlv[] = [];
  let bytes = 0;
  let looked = 0;
  let leave: (() => void) | null = null;
  /** While the order is unknown: each picture with the payloads before it. */
  const groups: { sets: RawKlv[]; ticks: number; run: number }[] = [];

  function add(raw: RawKlv): void {
    if (order === 'unknown' && leave === null) begin();
    if (order === 'after') {
      const { ticks, run } = last();
      give(raw, ticks, run);
      return;
    }
    waiting.push({ ...raw, bytes: raw.bytes.slice(raw.start, raw.end), start: 0, end: raw.end - raw.start });
    bytes += raw.end - raw.start;
    if (waiting.length > WAITING_MAX || bytes > WAITING_BYTES_MAX) decide('after');
  }

  function begin(): void {
    if (pictures.begun || !pictures.expected) order = 'after';
    else leave = pictures.listen(onPicture);
  }

  function onPicture(ticks: number, run: number): void {
    if (order === 'before') {
      release(ticks, run);
      return;
    }
    groups.push({ sets: waiting, ticks, run });
    looked += 1;
    const isBare = waiting.length === 0;
    waiting = [];
    if (isBare) decide('after');
    else if (looked === ORDER_PICTURES) decide('before');
  }

  function release(ticks: number | null, run: number): void {
    const sets = waiting;
    waiting = [];
    bytes = 0;
    for (const raw of sets) give(raw, ticks, run);
  }

  /** Delivers the held payloads in the order that was found. */
  function decide(found: 'before' | 'after'): void {
    order = found;
    let before: { ticks: number | null; run: number } = { ticks: null, run: groups[0]?.run ?? last().run };
    for (const group of groups.splice(0)) {
      const { ticks, run } = found === 'before' ? group : before;
      for (const raw of group.sets) give(raw, ticks, run);
      before = group;
    }
    release(before.ticks, before.run);
    if (found === 'before') return;
    leave?.();
    leave = null;
  }

  return {
    add,
    end() {
      // A stream of only one or two pictures has not contradicted this order.
      if (order === 'unknown' && groups.length > 0) decide('before');
      const { ticks, run } = last();
      release(ticks, run);
      leave?.();
      leave = null;
    },
  };
}
