import type { Classification } from '@osprey/contract';
import { useShownLabels } from '../../base/shown-labels.ts';
import { LabelMark } from './LabelMark.tsx';

type Props = { label: Classification; marked?: boolean };

/**
 * Label mark of an item that is named at this place, such as in a dialog. While it is shown, the label bar is at least
 * as high.
 */
export function ShownMark({ label, marked = true }: Props) {
  useShownLabels([label]);
  return <LabelMark label={label} marked={marked} />;
}
