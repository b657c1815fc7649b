import { useState } from 'react';
import { type Panels, panelsAfter, readPanels, writePanels } from './layout.ts';

/** State of the panels, which this browser remembers. */
export function usePanels() {
  const [panels, setPanels] = useState(readPanels);

  function changePanels(fields: Partial<Panels>) {
    const next = panelsAfter(panels, fields);
    setPanels(next);
    writePanels(next);
  }
  return { panels, changePanels };
}
