import { createContext } from 'react';

/**
 * `tabIndex` for the controls of a row among many: only those of the row that is itself in the tab order can be reached
 * by Tab. Null if the row does not set it.
 */
export const ControlTab = createContext<0 | -1 | null>(null);
