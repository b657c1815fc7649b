import { createContext, type ReactNode } from 'react';

/** A tab below the player of a phone. */
export type PhoneTab = { id: string; label: string; content: ReactNode };

/** Additions of features to the view on a phone. Pass the same object in each render. */
export type PhoneExtras = {
  /** Content next to the names of the tabs. */
  mark?: ReactNode;
  tabs: readonly PhoneTab[];
};

/** Provided by a page around the view. */
export const PhoneExtrasContext = createContext<PhoneExtras>({ tabs: [] });
