import { mdiHelpCircleOutline } from '@mdi/js';
import type { CasePartKind } from '@osprey/contract';
import { createContext, useContext } from 'react';

/** One kind of part as a case shows it. Each feature states its own in `content.ts`; `pages/case-contents.ts` is the list. */
export type CaseContent = {
  kind: CasePartKind;
  name: string;
  icon: string;
  /** Address where one without a moment of a mission is opened, by its id. Left out: there is none. */
  page?: (id: string) => string;
};

/** The list, for the parts of the case that is shown: cases know no feature. */
export const CaseContentsContext = createContext<readonly CaseContent[]>([]);

/** A kind that a newer server added has its word for a name. */
export function useCaseContent(kind: CasePartKind): CaseContent {
  const contents = useContext(CaseContentsContext);
  return contents.find((one) => one.kind === kind) ?? { kind, name: kind, icon: mdiHelpCircleOutline };
}
