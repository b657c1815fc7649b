import { afterPaint } from '../base/paint.ts';
import type { Signal } from './signal.ts';

/**
 * Sets it once what is drawn in this animation frame is on screen. What waits for a first picture is heavy: begun in the
 * same frame, it would hold that picture up.
 */
export function tellPainted(shown: Signal<boolean>): void {
  if (shown.get()) return;
  afterPaint(() => shown.get() || shown.set(true));
}
