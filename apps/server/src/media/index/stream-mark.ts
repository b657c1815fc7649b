import { isSame } from '@osprey/bytes';
import { classifications } from '@osprey/contract/classifications';
import { decodeSt0601Item, eachSecurityItem, isValues, type NestedItem, type Value } from '@osprey/klv';

/** ST 0102 tag 1, security classification: local sets contain its code, universal sets contain the word. */
const CLASSIFICATION = '1';
/** Maximum number of reported words, since noise could produce endless ones. */
const MAX_WORDS = 10;

type MarkReaderOptions = {
  /** Called for each mark above all earlier ones. */
  onMark: (rank: number) => void;
  /** Called for each security set with its classification as it was decoded; undefined if it states none. */
  onSet?: (said: unknown) => void;
};

/** Reads the security sets of a stream. Their classification codes equal the ranks of the labels. */
export function createMarkReader({ onMark, onSet }: MarkReaderOptions) {
  const unknown = new Set<string>();
  let highest: number | null = null;
  let last = new Uint8Array();
  /** The set in `last`, as it was decoded. */
  let lastSet: Value | undefined;

  /** Reads a decoded security set. */
  function values(set: Value | undefined): void {
    if (!isValues(set)) return;
    const mark = set[CLASSIFICATION];
    onSet?.(mark);
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
    /**
     * Reads the security sets in an item of an ST 0601 set; each is parsed only if it differs from the previous one.
     */
    item(item: NestedItem, bytes: Uint8Array): void {
      eachSecurityItem(bytes, item, (set) => {
        if (isSame(last, bytes, set.start, set.end)) {
          if (isValues(lastSet)) onSet?.(lastSet[CLASSIFICATION]);
          return;
        }
        last = bytes.slice(set.start, set.end);
        lastSet = undefined;
        lastSet = decodeSt0601Item(bytes, set);
        values(lastSet);
      });
    },
    found: () => ({ mark: highest, unknownMarks: [...unknown] }),
  };
}
