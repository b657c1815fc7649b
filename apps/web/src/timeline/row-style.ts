import { useSyncExternalStore } from 'react';
import { readStored, storageKeys, writeStored } from '../base/keys.ts';
import { createSignal } from '../onscreen/signal.ts';

/** Content of the rows of recordings: pictures, or bars with the number of targets. */
type RowStyle = 'pictures' | 'bars';

const style = createSignal<RowStyle>(readStored(storageKeys.timelineRows) === 'bars' ? 'bars' : 'pictures');

/** Returns the choice of this browser, and a function that changes it for all timelines of the page. */
export function useRowStyle(): [RowStyle, (next: RowStyle) => void] {
  return [useSyncExternalStore(style.subscribe, style.get), choose];
}

function choose(next: RowStyle): void {
  writeStored(storageKeys.timelineRows, next);
  style.set(next);
}
