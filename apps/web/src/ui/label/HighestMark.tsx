import type { Classification } from '@osprey/contract';
import { highestOf } from '../../base/shown-labels.ts';
import { ShownMark } from './ShownMark.tsx';

type Props = { items: readonly { securityClassification: Classification; marked: boolean }[] };

/** The mark of several that are named together: the highest label, unmarked where one of them is. */
export const HighestMark = ({ items }: Props) => (
  <ShownMark
    label={highestOf(items.map(({ securityClassification }) => securityClassification))}
    marked={items.every(({ marked }) => marked)}
  />
);
