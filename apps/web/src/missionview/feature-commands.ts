import { createContext } from 'react';
import type { MenuLine, OpenView, ViewFeature } from './feature.ts';
import type { KeyLine, ViewKind } from './key-list.ts';

/** Commands and keys of all features in a view. The object stays the same, so that nothing is drawn again. */
export type FeatureCommands = {
  /** Runs a command by its name. */
  run: (command: string) => void;
  lines: readonly KeyLine[];
  /** Command of a key, by the name that the list has for the key. */
  keys: ReadonlyMap<string, string>;
  menu: readonly MenuLine[];
};

/** Null where a view has no features: their keys are left to the browser. */
export const FeatureCommandsContext = createContext<FeatureCommands | null>(null);

/** The open view with its features, for the buttons in its bar, which are drawn again with each change of it. */
export const OpenViewContext = createContext<{ features: readonly ViewFeature[]; view: OpenView } | null>(null);

/** Keys and menu of features in a view of this kind. */
export function offeredIn(view: ViewKind, features: readonly ViewFeature[]): Omit<FeatureCommands, 'run'> {
  const lines = features.flatMap(({ keys = [] }) => keys).filter(({ only }) => only === undefined || only === view);
  return {
    lines,
    keys: new Map(lines.flatMap(({ keys }) => Object.entries(keys))),
    menu: features.flatMap(({ menu = [] }) => menu),
  };
}
