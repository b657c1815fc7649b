import { createContext } from 'react';

/** Commands on the marks of a mission, by a key or a button of the view. */
export type MarkCommand =
  | 'in'
  | 'out'
  | 'bookmark'
  | 'quickBookmark'
  /** Their list. */
  | 'bookmarks'
  | 'snapshot'
  | 'quickSnapshot'
  /** The span between In and Out. */
  | 'export'
  | 'previousPin'
  | 'nextPin'
  /** Only for the live platform that leads; a recorded mission has nothing to record. */
  | 'recordNow';

export type RunMark = (command: MarkCommand) => void;

/**
 * A page that keeps marks puts its value around the view; it stays the same function, so that nothing is drawn again.
 * Null: the keys of marks do nothing.
 */
export const MarkCommandsContext = createContext<RunMark | null>(null);
