import { ButtonBase, Tooltip, useMediaQuery } from '@mui/material';
import type { ReactNode } from 'react';
import { size } from '../../base/sizes.ts';

type Props = {
  /** Accessible name for screen readers. */
  label: string;
  hint: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** Small button with text, next to Record. */
export function WordButton({ label, hint, disabled, onClick, children }: Props) {
  const coarse = useMediaQuery('(max-width: 599.95px), (pointer: coarse)');
  return (
    <Tooltip title={hint} placement="right">
      <span>
        <ButtonBase
          aria-label={label}
          disabled={disabled}
          onClick={onClick}
          sx={{
            minWidth: size.touch,
            height: coarse ? size.touch : size.controlSmall,
            px: 1,
            border: 1,
            borderRadius: 1.5,
            borderColor: 'surface.lineStrong',
            bgcolor: 'surface.raised',
            color: 'text.primary',
            fontSize: 12,
            fontWeight: 500,
            whiteSpace: 'nowrap',
            '&:hover': { bgcolor: 'surface.hover' },
            '&.Mui-disabled': { opacity: 0.5 },
          }}
        >
          {children}
        </ButtonBase>
      </span>
    </Tooltip>
  );
}
