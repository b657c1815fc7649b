/** Time in milliseconds after a press within which changes are considered to be made by the user. */
const DOING_MS = 700;

let touchedMs = Number.NEGATIVE_INFINITY;
const note = () => {
  touchedMs = performance.now();
};

/** Records key and pointer presses. Returns a function that stops this. */
export function noteTouches(): () => void {
  const names = ['pointerdown', 'pointerup', 'keydown', 'wheel'] as const;
  for (const name of names) window.addEventListener(name, note, { capture: true, passive: true });
  return () => {
    for (const name of names) window.removeEventListener(name, note, { capture: true });
  };
}

export const isTouched = (): boolean => performance.now() - touchedMs < DOING_MS;
