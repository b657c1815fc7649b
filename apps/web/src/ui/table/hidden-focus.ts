/**
 * Removes the focus that a click leaves on an element without showing it: it would take keys from whatever the click
 * opened. Tab goes on from there all the same. Focus by keyboard is visible, and is kept.
 */
export function letGoOfHiddenFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.matches(':focus-visible')) activeElement.blur();
}
