import { mdiHelpCircleOutline } from '@mdi/js';
import type { CasePartKind } from '@osprey/contract';
import { createContext, useContext } from 'react';

/**
 * How a case shows one kind of part. Each feature defines its kinds in its `content.ts`; `pages/case-contents.ts` lists
 * them all.
 */
export type CaseContent = {
  kind: CasePartKind;
  name: string;
  icon: string;
  /**
   * Returns the address of the page that opens a part without a time in a mission, by its id. Left out: there is no
   * such page.
   */
  page?: (id: string) => string;
};

/** The list of all kinds, provided by the page, so that cases need not import any other feature. */
export const CaseContentsContext = createContext<readonly CaseContent[]>([]);

/** Returns how a kind of part is shown. A kind that a newer server has added is shown with its identifier as name. */
export function useCaseContent(kind: CasePartKind): CaseContent {
  const contents = useContext(CaseContentsContext);
  return contents.find((one) => one.kind === kind) ?? { kind, name: kind, icon: mdiHelpCircleOutline };
}
