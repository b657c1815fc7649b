import type { ChangeEvent } from 'react';

/**
 * Replaces a typed space in the name of a mission by a dash. Pasted text keeps its spaces, and the rule of names
 * refuses them: what comes from elsewhere is not changed unseen.
 */
export function typedSpaceAsDash({ nativeEvent, target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  const { inputType, data } = nativeEvent as InputEvent;
  if (inputType !== 'insertText' || data !== ' ') return;
  const end = target.selectionStart;
  if (end !== null && end > 0) target.setRangeText('-', end - 1, end, 'end');
}
