import { itemBytes, packetLayout, readUniversalKey, withItems } from '@osprey/klv';

/** Maximum time between a set and another stream's set that supplies items to it, in ticks of 90 kHz. */
const NEAR_TICKS = 90_000;
/**
 * Time for which a set waits for those of other streams, in ticks of 90 kHz, since streams may be multiplexed this far
 * apart.
 */
const WAIT_TICKS = 3 * 90_000;
/** Difference from which the clock counts as jumped, in ticks of 90 kHz. */
const JUMP_TICKS = 10 * 90_000;
const PENDING_MAX = 512;
const PENDING_BYTES_MAX = 4 * 1024 * 1024;
/** Limits for the remembered sets of one other stream, and for the number of streams. */
const MAX_REMEMBERED = 512;
const MAX_REMEMBERED_BYTES = 1024 * 1024;
const MAX_OTHERS = 16;

/** Tags that are never taken from another set: checksum, time and version. */
const OWN_TAGS: ReadonlySet<number> = new Set([1, 2, 65]);

/**
 * Groups of ST 0601 tags that are meaningful only together: a set uses all of its own, or all of one other set.
 * Position with altitudes, attitude, sensor angles, field of view, frame centre, corners as offsets and in full,
 * target, alternate position, target list.
 */
const GROUPS: readonly (readonly number[])[] = [
  [13, 14, 15, 75, 104],
  [5, 6, 7, 90, 91],
  [18, 19, 20],
  [16, 17],
  [23, 24, 25, 78],
  [26, 27, 28, 29, 30, 31, 32, 33, 82, 83, 84, 85, 86, 87, 88, 89],
  [40, 41, 42],
  [67, 68, 69, 71, 76],
  [74],
];
const groupOf = new Map(GROUPS.flatMap((tags, n) => tags.map((tag) => [tag, n] as const)));
/** Standards whose sets can also be items of ST 0601, with the tags of these items. */
const AS_ITEM: Readonly<Record<string, number>> = { st0102: 48, st0903: 74 };

/** One packet with its time in ticks of 90 kHz within a run; null if unknown. */
export type PlacedSet = {
  pid: number;
  run: number;
  ticks: number | null;
  bytes: Uint8Array;
  start: number;
  end: number;
};

type Pending<T extends PlacedSet> = { set: T; ticks: number; tags: ReadonlySet<number>; size: number };
type Remembered = { run: number; ticks: number; items: Map<number, Uint8Array>; size: number };

type Options<T extends PlacedSet> = {
  /** `bytes`: the set with the items supplied by others, from 0 to its end; null if the set is unchanged. */
  emit: (set: T, bytes: Uint8Array | null) => void;
  /** Called when an item of this stream was supplied to a set. */
  onFilled?: (pid: number, tag: number) => void;
  /** Returns whether this stream may supply items: two streams with positions are never joined. */
  mayFill: (pid: number) => boolean;
  /**
   * If false, sets are emitted immediately, so that later sets of other streams cannot supply items; used for live
   * streams.
   */
  waits: boolean;
};

export type KlvJoin<T extends PlacedSet> = {
  /** Adds a set of the shown stream. */
  base(set: T): void;
  other(set: PlacedSet): void;
  /** Emits all waiting sets. */
  flush(): void;
};

/**
 * Joins several KLV streams of one video: sets of the shown stream get items that none of its sets within a second
 * contains, from the nearest set of another stream. Memory is limited to three seconds of sets.
 */
export function createKlvJoin<T extends PlacedSet>({ emit, onFilled, mayFill, waits }: Options<T>): KlvJoin<T> {
  const pending: Pending<T>[] = [];
  let pendingBytes = 0;
  /** For each tag, the time of the last emitted set of the shown stream that contained it. */
  let had = new Map<number, number>();
  const others = new Map<number, Remembered[]>();
  let basePid = -1;
  let run = -1;
  let lastTicks = 0;

  function base(set: T): void {
    const isOther = set.pid !== basePid || set.run !== run;
    if (isOther || (set.ticks !== null && Math.abs(set.ticks - lastTicks) > JUMP_TICKS)) begin(set);
    if (set.ticks === null) {
      flush();
      emit(set, null);
      return;
    }
    lastTicks = set.ticks;
    const size = set.end - set.start;
    pending.push({ set, ticks: set.ticks, tags: tagsOf(set), size });
    pendingBytes += size;
    settle();
  }

  function begin({ pid, run: next }: T): void {
    flush();
    had = new Map();
    basePid = pid;
    run = next;
  }

  function other({ pid, run: itsRun, ticks, bytes, start, end }: PlacedSet): void {
    if (ticks === null) return;
    const items = itemsOf(bytes, start, end);
    if (items.size === 0) return;
    const existing = others.get(pid) ?? [];
    if (existing.length === 0 && others.size >= MAX_OTHERS) return;
    others.set(pid, existing);
    existing.push({ run: itsRun, ticks, items, size: end - start });
    let size = existing.reduce((sum, one) => sum + one.size, 0);
    while (existing.length > 1 && (existing.length > MAX_REMEMBERED || size > MAX_REMEMBERED_BYTES))
      size -= existing.shift()!.size;
    settle();
  }

  /** Emits the sets for which no further items can arrive. */
  function settle(): void {
    while (pending.length > 0 && isSettled(pending[0]!)) release();
  }

  function isSettled({ ticks }: Pending<T>): boolean {
    if (!waits || pending.length > PENDING_MAX || pendingBytes > PENDING_BYTES_MAX || lastTicks > ticks + WAIT_TICKS)
      return true;
    if (lastTicks <= ticks + NEAR_TICKS) return false;
    // A stream that is multiplexed later may not have sent anything yet.
    return others.size > 0 && [...others.values()].every((sets) => sets.at(-1)!.ticks > ticks + NEAR_TICKS);
  }

  function release(): void {
    const { set, ticks, tags, size } = pending.shift()!;
    pendingBytes -= size;
    for (const tag of tags) had.set(tag, ticks);
    const added = fill(ticks, tags);
    forget(ticks - NEAR_TICKS);
    emit(set, added.length === 0 ? null : withItems(set.bytes, set.start, set.end, added));
  }

  function fill(ticks: number, tags: ReadonlySet<number>): Uint8Array[] {
    if (tags.size === 0) return [];
    const near = nearSets(ticks);
    if (near.length === 0) return [];
    const isTaken = takenNear(ticks);
    const added: Uint8Array[] = [];
    const groups = new Map<number, Remembered>();
    const filled = new Set<number>();
    for (const { pid, set } of near) {
      for (const [tag, bytes] of set.items) {
        const group = groupOf.get(tag);
        if (filled.has(tag) || isTaken(tag)) continue;
        if (group !== undefined && (groups.get(group) ?? set) !== set) continue;
        if (group !== undefined) groups.set(group, set);
        filled.add(tag);
        added.push(bytes);
        onFilled?.(pid, tag);
      }
    }
    return added;
  }

  /** Returns the sets near a time, the nearest first. */
  function nearSets(ticks: number): { pid: number; set: Remembered }[] {
    const near = [...others].flatMap(([pid, sets]) =>
      pid === basePid || !mayFill(pid)
        ? []
        : sets.filter((set) => set.run === run && isNear(set.ticks, ticks)).map((set) => ({ pid, set })),
    );
    return near.sort((a, b) => Math.abs(a.set.ticks - ticks) - Math.abs(b.set.ticks - ticks));
  }

  /**
   * Returns a function that checks whether a set of the shown stream within a second has this tag, or one of its group.
   */
  function takenNear(ticks: number): (tag: number) => boolean {
    const tags = new Set<number>();
    for (const [tag, at] of had) if (isNear(at, ticks)) tags.add(tag);
    for (const next of pending) if (isNear(next.ticks, ticks)) for (const tag of next.tags) tags.add(tag);
    const groups = new Set([...tags].flatMap((tag) => groupOf.get(tag) ?? []));
    return (tag) => OWN_TAGS.has(tag) || tags.has(tag) || groups.has(groupOf.get(tag) ?? -1);
  }

  function forget(beforeTicks: number): void {
    for (const sets of others.values()) {
      const first = sets.findIndex((set) => set.run === run && set.ticks >= beforeTicks);
      sets.splice(0, first < 0 ? Math.max(0, sets.length - 1) : first);
    }
  }

  function flush(): void {
    while (pending.length > 0) release();
  }

  return { base, other, flush };
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NEAR_TICKS;

/** Returns the tags of a set of ST 0601; none for other sets, which are not joined. */
function tagsOf({ bytes, start, end }: PlacedSet): ReadonlySet<number> {
  if (readUniversalKey(bytes, start) !== 'st0601') return new Set();
  return new Set(packetLayout(bytes, start, end).items.map(({ tag }) => tag));
}

/** Returns the last item of each tag; items without a value are left out. */
function itemsOf(bytes: Uint8Array, start: number, end: number): Map<number, Uint8Array> {
  const standard = readUniversalKey(bytes, start);
  const { valueStart, end: itsEnd, items } = packetLayout(bytes, start, end);
  const tag = AS_ITEM[standard ?? ''];
  // A universal set has no tagged items, so it cannot be the value of an item.
  if (tag !== undefined && items.length > 0)
    return new Map([[tag, itemBytes(tag, bytes.subarray(valueStart, itsEnd))]]);
  if (standard !== 'st0601') return new Map();
  const complete = items.filter((item) => item.end > item.valueStart && !OWN_TAGS.has(item.tag));
  return new Map(complete.map((item) => [item.tag, bytes.slice(item.start, item.end)]));
}
