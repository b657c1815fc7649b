import type { ChangeEvent } from 'react';

/**
 * Replaces a typed space in the name of a mission by a dash. Pasted text keeps its spaces, which the validation of
 * names then refuses, so that it is not changed without the user noticing.
 */
export function typedSpaceAsDash({ nativeEvent, target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  const { inputType, data } = nativeEvent as InputEvent;
  if (inputType !== 'insertText' || data !== ' ') return;
  const end = target.selectionStart;
  if (end !== null && end > 0) target.setRangeText('-', end - 1, end, 'end');
}
