import { createContext, type ReactNode } from 'react';

/** A tab below the player of a phone. */
export type PhoneTab = { id: string; label: string; content: ReactNode };

/** Additions of features to the view of a phone. Keep the object between renders. */
export type PhoneExtras = {
  /** Next to the names of the tabs. */
  mark?: ReactNode;
  tabs: readonly PhoneTab[];
};

/** A page puts its value around the view. */
export const PhoneExtrasContext = createContext<PhoneExtras>({ tabs: [] });
