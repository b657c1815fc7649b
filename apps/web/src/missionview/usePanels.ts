import { useState } from 'react';
import { type Panels, panelsAfter, readPanels, writePanels } from './layout.ts';

/** Which panels are on, as this browser remembers it. */
export function usePanels() {
  const [panels, setPanels] = useState(readPanels);

  function changePanels(fields: Partial<Panels>) {
    const next = panelsAfter(panels, fields);
    setPanels(next);
    writePanels(next);
  }
  return { panels, changePanels };
}
