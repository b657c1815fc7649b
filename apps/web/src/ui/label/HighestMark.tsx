import type { Classification } from '@osprey/contract';
import { highestOf } from '../../base/shown-labels.ts';
import { ShownMark } from './ShownMark.tsx';

type Props = { items: readonly { securityClassification: Classification; marked: boolean }[] };

/**
 * Label mark of several items that are named together: the highest label, shown as unmarked if one of them is unmarked.
 */
export const HighestMark = ({ items }: Props) => (
  <ShownMark
    label={highestOf(items.map(({ securityClassification }) => securityClassification))}
    marked={items.every(({ marked }) => marked)}
  />
);
