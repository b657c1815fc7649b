import { IconButton, type IconButtonProps, Tooltip } from '@mui/material';
import { useContext } from 'react';
import { ControlTab } from './control-tab.ts';
import { Icon } from './Icon.tsx';

type Props = Omit<IconButtonProps, 'aria-label' | 'children' | 'title'> & {
  /** Name of the action, used as accessible name and as tooltip. */
  label: string;
  /** A longer tooltip, for example why it is disabled. */
  hint?: string | undefined;
  icon: string;
  /** State of a toggle; if true, it has the selected surface and the accent colour. */
  on?: boolean;
  /** Side of the tooltip; use the left or right if there are other buttons below. */
  side?: 'left' | 'right' | 'top' | 'bottom';
};

/** Icon button with an accessible name and a tooltip. */
export function Action({ label, hint, icon, on, side = 'bottom', sx, disabled = false, ...rest }: Props) {
  const tabIndex = useContext(ControlTab);
  return (
    <Tooltip title={hint ?? label} placement={side}>
      <span>
        <IconButton
          aria-label={label}
          {...(on === undefined ? {} : { 'aria-pressed': on })}
          {...(tabIndex === null ? {} : { tabIndex })}
          disabled={disabled}
          sx={[on ? { bgcolor: 'surface.selected', color: 'primary.main' } : {}, ...(Array.isArray(sx) ? sx : [sx])]}
          {...rest}
        >
          <Icon path={icon} />
        </IconButton>
      </span>
    </Tooltip>
  );
}
