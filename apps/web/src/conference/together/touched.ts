/** Changes within this time after a press count as the user's. */
const DOING_MS = 700;

let touchedMs = Number.NEGATIVE_INFINITY;
const note = () => {
  touchedMs = performance.now();
};

/** Notes presses of keys and pointers. Returns what ends it. */
export function noteTouches(): () => void {
  const names = ['pointerdown', 'pointerup', 'keydown', 'wheel'] as const;
  for (const name of names) window.addEventListener(name, note, { capture: true, passive: true });
  return () => {
    for (const name of names) window.removeEventListener(name, note, { capture: true });
  };
}

export const isTouched = (): boolean => performance.now() - touchedMs < DOING_MS;
