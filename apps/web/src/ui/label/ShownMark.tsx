import type { Classification } from '@osprey/contract';
import { useShownLabels } from '../../base/shown-labels.ts';
import { LabelMark } from './LabelMark.tsx';

type Props = { label: Classification; marked?: boolean };

/**
 * The mark of an item that is named right here, as in a dialog: the label bar is at least as high while it is shown.
 */
export function ShownMark({ label, marked = true }: Props) {
  useShownLabels([label]);
  return <LabelMark label={label} marked={marked} />;
}
