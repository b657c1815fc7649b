/**
 * A click leaves the focus on what was clicked, where nobody sees it. Let go of, it takes no keys from what the click opened;
 * Tab goes on from there all the same. Whoever came by keyboard sees the focus, and keeps it.
 */
export function letGoOfHiddenFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.matches(':focus-visible')) activeElement.blur();
}
