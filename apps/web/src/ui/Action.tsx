import { IconButton, type IconButtonProps, Tooltip } from '@mui/material';
import { useContext } from 'react';
import { ControlTab } from './control-tab.ts';
import { Icon } from './Icon.tsx';

type Props = Omit<IconButtonProps, 'aria-label' | 'children' | 'title'> & {
  /** Name of the action, for screen readers and as tooltip. */
  label: string;
  /** A longer tooltip, for example why it is disabled. */
  hint?: string | undefined;
  icon: string;
  /** A toggle that is on has the selected surface and the accent. */
  on?: boolean;
  /** Side of the tooltip; next to the button if other buttons are below it. */
  side?: 'left' | 'right' | 'top' | 'bottom';
};

/** A button that is an icon: with a name that can be read out and a tooltip. */
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
