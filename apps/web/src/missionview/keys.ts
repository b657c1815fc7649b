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
        | 'exchange'
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
  x: { do: 'exchange' },
  h: { do: 'health' },
  u: { do: 'sound' },
  '?': { do: 'list' },
};

/** Commands of features, by the key's name in the list of keys, such as "Shift B". */
type FeatureKeys = FeatureCommands['keys'];
const noKeys: FeatureKeys = new Map();

/** Names that a key may have in the list of keys, most specific first. */
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

/** Returns the command of a key in a view whose features have these keys; null if there is none. */
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

/** Elements that handle these keys themselves. */
const OWN_KEYS =
  '[role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"], [role="radiogroup"], [role="tablist"]';

/** Elements that are ticked or switched by the space bar only. */
const TICKED =
  'input[type="checkbox"], input[type="radio"], [role="checkbox"], [role="switch"], [role="radio"], [role="option"]';

/** Returns whether the focused element handles the key itself, so that the view must not. */
export function belongsToFocus(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  if (target instanceof HTMLInputElement && TEXT_INPUTS.test(target.type)) return true;
  if (target.closest(OWN_KEYS)) return true;
  // The map is panned by arrows while it has the focus.
  if (key.startsWith('Arrow')) return target.closest('.maplibregl-map, [role="separator"]') !== null;
  // Enter activates a focused button, but space plays, except on checkboxes and switches, which handle it themselves.
  return key === ' ' && target.matches(TICKED);
}

/** Returns the next faster or slower of the offered speeds. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const at = SPEEDS.findIndex((one) => one >= speed);
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + direction))] ?? 1;
}
