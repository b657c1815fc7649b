/** Writes only what changed: a text node that stays costs nothing. */
export function setText(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
