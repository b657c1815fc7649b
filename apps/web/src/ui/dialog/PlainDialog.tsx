import { Dialog, useMediaQuery } from '@mui/material';
import { type ReactNode, useId } from 'react';
import { DialogHead } from './DialogHead.tsx';
import { unlessDoubleClick } from './unless-double-click.ts';
import { useFocusBack } from './useFocusBack.ts';

type Props = {
  title: string;
  /** Content next to the title, such as a label mark. */
  mark?: ReactNode;
  width?: 'xs' | 'sm';
  onClose: () => void;
  children: ReactNode;
};

/** Dialog that only displays content, with a close button in its head. On a phone it takes the whole screen. */
export function PlainDialog({ title, mark, width = 'sm', onClose, children }: Props) {
  const titleId = useId();
  const focusBack = useFocusBack();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  return (
    <Dialog
      open
      {...focusBack}
      onClose={unlessDoubleClick(onClose)}
      aria-labelledby={titleId}
      fullScreen={narrow}
      fullWidth
      maxWidth={width}
    >
      <DialogHead title={title} titleId={titleId} mark={mark} onClose={onClose} />
      {children}
    </Dialog>
  );
}
