import type { KeyboardEvent } from 'react';

/** Moves the focus by arrow keys to the next or previous button of a row that has only one button in the tab order. */
export function focusNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  buttons[buttons.indexOf(event.target as HTMLElement) + step]?.focus();
}
