import { SPEEDS } from '../onscreen/clock/mission-clock.ts';
import type { FeatureCommands } from './feature-commands.ts';

export type ViewCommand =
  | {
      do:
        | 'toggle'
        | 'pause'
        | 'faster'
        | 'slower'
        | 'start'
        | 'end'
        | 'fullScreen'
        | 'map'
        | 'floatingMap'
        | 'telemetry'
        | 'health'
        | 'list'
        | 'sound';
    }
  | { do: 'skip'; seconds: number }
  | { do: 'step'; direction: 1 | -1 }
  | { do: 'lead'; index: number }
  | { do: 'feature'; command: string };

type Pressed = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

const plain: Record<string, ViewCommand> = {
  ' ': { do: 'toggle' },
  k: { do: 'pause' },
  l: { do: 'faster' },
  j: { do: 'slower' },
  ',': { do: 'step', direction: -1 },
  '.': { do: 'step', direction: 1 },
  Home: { do: 'start' },
  End: { do: 'end' },
  f: { do: 'fullScreen' },
  m: { do: 'map' },
  t: { do: 'telemetry' },
  h: { do: 'health' },
  u: { do: 'sound' },
  '?': { do: 'list' },
};

/** Keys of features by the names that the list of keys has for them, such as "Shift B", with their commands. */
type FeatureKeys = FeatureCommands['keys'];
const noKeys: FeatureKeys = new Map();

/** Names that a key has in the list of keys, best first. */
function namesOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): string[] {
  if (metaKey) return [];
  // Brackets need AltGr on many keyboards, which browsers report as Ctrl with Alt.
  if (key === '[' || key === ']') return ctrlKey === altKey ? [key] : [];
  if (ctrlKey) return [];
  const arrow = { ArrowLeft: '←', ArrowRight: '→' }[key];
  if (altKey) return arrow !== undefined && !shiftKey ? [`Alt ${arrow}`] : [];
  const name = key.toUpperCase();
  return shiftKey ? [`Shift ${name}`, name] : [name];
}

/** Command of a key in a view with these keys of features; null when none. */
export function commandOf(pressed: Pressed, features: FeatureKeys = noKeys): ViewCommand | null {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed;
  const command = namesOf(pressed).flatMap((name) => features.get(name) ?? [])[0];
  if (command !== undefined) return { do: 'feature', command };
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'ArrowLeft') return { do: 'skip', seconds: shiftKey ? -60 : -10 };
  if (key === 'ArrowRight') return { do: 'skip', seconds: shiftKey ? 60 : 10 };
  if (shiftKey && key.toLowerCase() === 'm') return { do: 'floatingMap' };
  if (/^[1-9]$/.test(key)) return { do: 'lead', index: Number(key) - 1 };
  return plain[key.length === 1 ? key.toLowerCase() : key] ?? null;
}

const TEXT_INPUTS = /^(?:text|search|email|password|url|tel|number|date|time|datetime-local)$/;

/** Parts that mean something of their own by these keys. */
const OWN_KEYS =
  '[role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"], [role="radiogroup"], [role="tablist"]';

/** Parts that are ticked or switched by space, and by nothing else. */
const TICKED =
  'input[type="checkbox"], input[type="radio"], [role="checkbox"], [role="switch"], [role="radio"], [role="option"]';

/** True when the key belongs to what has the focus, not to the view. */
export function belongsToFocus(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  if (target instanceof HTMLInputElement && TEXT_INPUTS.test(target.type)) return true;
  if (target.closest(OWN_KEYS)) return true;
  // The map is panned by arrows while it has the focus.
  if (key.startsWith('Arrow')) return target.closest('.maplibregl-map, [role="separator"]') !== null;
  // Enter presses buttons; space plays, even with a button in focus. Check boxes and switches keep it.
  return key === ' ' && target.matches(TICKED);
}

/** The next offered speed up or down. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const at = SPEEDS.findIndex((one) => one >= speed);
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + direction))] ?? 1;
}
