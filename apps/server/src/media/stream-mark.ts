import { isSame } from '@osprey/bytes';
import { classifications } from '@osprey/contract/classifications';
import { decodeSt0601Item, isValues, type NestedItem, type Value } from '@osprey/klv';

const SECURITY_TAG = 48;
/** ST 0102 tag 1: security classification; local sets give its code, universal sets the word. */
const CLASSIFICATION = '1';
/** Words that are told; noise could invent them without end. */
const MAX_WORDS = 10;

/** Watches the security sets of a stream. Their numbers are those of our labels. */
export function createMarkReader({ onMark }: { onMark: (rank: number) => void }) {
  const unknown = new Set<string>();
  let highest: number | null = null;
  let last = new Uint8Array();

  /** A security set, decoded. */
  function values(set: Value | undefined): void {
    if (!isValues(set)) return;
    const mark = set[CLASSIFICATION];
    if (mark === undefined || mark === null) return;
    if (typeof mark === 'number' && mark >= 1 && mark <= classifications.length) {
      if (mark <= (highest ?? 0)) return;
      highest = mark;
      onMark(mark);
      return;
    }
    if (unknown.size < MAX_WORDS) unknown.add(String(mark).slice(0, 40));
  }

  return {
    values,
    /** An item of an ST 0601 set; only the security set is looked at, and only where it differs from the last. */
    item({ tag, start, end }: NestedItem, bytes: Uint8Array): void {
      if (tag !== SECURITY_TAG || isSame(last, bytes, start, end)) return;
      last = bytes.slice(start, end);
      values(decodeSt0601Item(bytes, { tag, start, end }));
    },
    found: () => ({ mark: highest, unknownMarks: [...unknown] }),
  };
}
