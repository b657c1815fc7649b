/** Sets the text only if it changed, to avoid needless work of the browser. */
export function setText(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
