import type { KeyboardEvent } from 'react';

const STEPS: Record<string, [row: number, column: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/**
 * Moves the focus by arrow keys: from row to row, and along the buttons of a row; up from the first row returns to the
 * list itself.
 */
export function goThroughRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const [down, right] = step;
  const list = event.currentTarget;
  const pressed = event.target as HTMLButtonElement;
  const rows = [...list.querySelectorAll('[data-tag]')].map((row) => [...row.querySelectorAll('button')]);
  const at = rows.findIndex((row) => row.includes(pressed));
  if (rows.length === 0 || (at === -1 && down < 1)) return;
  // Prevents the arrow keys from also moving the mission clock.
  event.preventDefault();
  const column = at === -1 ? 0 : rows[at]!.indexOf(pressed);
  const row = Math.min(at + down, rows.length - 1);
  if (row < 0) list.focus();
  else rows[row]![Math.max(0, Math.min(column + right, rows[row]!.length - 1))]?.focus();
}
