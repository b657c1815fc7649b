import { createContext } from 'react';

/** Whether tools have room for their word next to the icon. */
export const ToolWords = createContext(false);
