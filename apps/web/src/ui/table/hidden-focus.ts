/**
 * Removes focus that a click leaves on an element without a visible outline, since that element would receive keys
 * meant for the content opened by the click. Tab still continues from there. Focus by keyboard is visible, and is kept.
 */
export function letGoOfHiddenFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.matches(':focus-visible')) activeElement.blur();
}
