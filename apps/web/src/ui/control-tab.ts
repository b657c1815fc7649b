import { createContext } from 'react';

/**
 * The `tabIndex` of controls that are one row's among many: in the order of the Tab key are those of the row that is
 * itself. Null where nothing is said.
 */
export const ControlTab = createContext<0 | -1 | null>(null);
