import { afterPaint } from '../base/paint.ts';
import type { Signal } from './signal.ts';

/**
 * Sets the signal once the drawings of this animation frame are on screen. Work that waits for a first picture is
 * expensive; started in the same frame, it would delay that picture.
 */
export function reportPainted(shown: Signal<boolean>): void {
  if (shown.get()) return;
  afterPaint(() => shown.get() || shown.set(true));
}
