import { IconButton, type IconButtonProps, Tooltip } from '@mui/material';
import { useContext } from 'react';
import { ControlTab } from './control-tab.ts';
import { Icon } from './Icon.tsx';
import { ToolWords } from './tool-words.ts';

type Props = Omit<IconButtonProps, 'aria-label' | 'children' | 'title'> & {
  /** Name of the action, used as accessible name and as tooltip. */
  label: string;
  /** A longer tooltip, for example why it is disabled. */
  hint?: string | undefined;
  /** Key that does the same, as the list of keys names it; shown in the tooltip. */
  keys?: string;
  icon: string;
  /** Part of the label that is shown next to the icon where tools have room for words. */
  word?: string | undefined;
  /** State of a toggle; if true, it has the selected surface and the accent colour. */
  on?: boolean;
  /** Side of the tooltip; use the left or right if there are other buttons below. */
  side?: 'left' | 'right' | 'top' | 'bottom';
  /** Lets presses through the tooltip, for buttons that stand in several columns, where it lies over others. */
  pressThrough?: boolean;
};

const wordStyle = { width: 'auto', px: 2, gap: 1.5, fontSize: 13, fontWeight: 500 } as const;

/** Icon button with an accessible name and a tooltip. */
export function Action({ label, hint, keys, icon, word, on, sx, disabled = false, ...props }: Props) {
  const { side = 'bottom', pressThrough = false, ...rest } = props;
  const tabIndex = useContext(ControlTab);
  const roomy = useContext(ToolWords);
  return (
    <Tooltip
      title={keys === undefined ? (hint ?? label) : `${hint ?? label} (${keys})`}
      placement={side}
      disableInteractive={pressThrough}
    >
      <span>
        <IconButton
          aria-label={label}
          {...(on === undefined ? {} : { 'aria-pressed': on })}
          {...(tabIndex === null ? {} : { tabIndex })}
          disabled={disabled}
          sx={[
            on ? { bgcolor: 'surface.selected', color: 'primary.main' } : {},
            roomy && word !== undefined ? wordStyle : {},
            ...(Array.isArray(sx) ? sx : [sx]),
          ]}
          {...rest}
        >
          <Icon path={icon} />
          {roomy && word}
        </IconButton>
      </span>
    </Tooltip>
  );
}
