import { createContext } from 'react';
import type { MenuLine, OpenView, ViewFeature } from './feature.ts';
import type { KeyLine, ViewKind } from './key-list.ts';

/** Commands and keys of all features in a view. The object remains the same, so that nothing is rendered again. */
export type FeatureCommands = {
  /** Runs a command by its name. */
  run: (command: string) => void;
  lines: readonly KeyLine[];
  /** Command for each key, by the key's name in the list of keys. */
  keys: ReadonlyMap<string, string>;
  menu: readonly MenuLine[];
};

/** Commands of the features; null if a view has none, in which case their keys are left to the browser. */
export const FeatureCommandsContext = createContext<FeatureCommands | null>(null);

/**
 * The open view with its features, for the buttons in its bar, which are rendered again with each change of the view.
 */
export const OpenViewContext = createContext<{ features: readonly ViewFeature[]; view: OpenView } | null>(null);

/** Returns the keys and menu lines that features offer in a view of this kind. */
export function offeredIn(view: ViewKind, features: readonly ViewFeature[]): Omit<FeatureCommands, 'run'> {
  const lines = features.flatMap(({ keys = [] }) => keys).filter(({ only }) => only === undefined || only === view);
  return {
    lines,
    keys: new Map(lines.flatMap(({ keys }) => Object.entries(keys))),
    menu: features.flatMap(({ menu = [] }) => menu),
  };
}
