import type { Classification } from '@osprey/contract';
import { fill, formatCount } from '../../base/format.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { texts } from './texts.ts';
import type { LockOut } from './useAddParts.ts';

type Props = { number: number; lockOut: LockOut; busy: boolean; onConfirm: () => void; onCancel: () => void };

const words = texts.lockOut;

/** Asks for confirmation before an added part raises the label of a case above what some of its readers may see. */
export function LockOutQuestion({ number, lockOut: { label, count }, busy, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      title={fill(words.title, { number, label })}
      mark={<ShownMark label={label as Classification} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {fill(count === null ? words.some : formatCount(count, words.text), { number })}
    </ConfirmDialog>
  );
}
