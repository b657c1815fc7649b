import { mdiChevronDown, mdiChevronRight, mdiKeyboardOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { size } from '../app/sizes.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Names of the button that folds the view, for either state. */
  fold: { open: string; collapse: string };
  collapsed: boolean;
  onCollapse: () => void;
  children: ReactNode;
};

/** One line over a view of players: what folds it, then what is shown. */
export function ViewBar({ fold, collapsed, onCollapse, children }: Props) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        height: size.toolbar,
        px: 1,
        minWidth: 0,
        whiteSpace: 'nowrap',
      }}
    >
      <Action
        label={collapsed ? fold.open : fold.collapse}
        icon={collapsed ? mdiChevronRight : mdiChevronDown}
        aria-expanded={!collapsed}
        onClick={onCollapse}
      />
      {children}
    </Box>
  );
}

type TogglesProps<Panel extends string> = {
  toggles: readonly { toggle: Panel; icon: string; label: string }[];
  on: Record<Panel, boolean>;
  onToggle: (toggle: Panel) => void;
  /** Null where there is no keyboard to speak of. */
  onKeys: (() => void) | null;
};

/** Which panels stand beside the players, and the list of keys. */
export function PanelToggles<Panel extends string>({ toggles, on, onToggle, onKeys }: TogglesProps<Panel>) {
  return (
    <Box role="toolbar" aria-label={texts.panels} sx={{ display: 'flex', gap: 1, flex: 'none' }}>
      {toggles.map(({ toggle, icon, label }) => (
        <Action key={toggle} label={label} icon={icon} on={on[toggle]} onClick={() => onToggle(toggle)} />
      ))}
      {onKeys && <Action label={texts.keys} icon={mdiKeyboardOutline} onClick={onKeys} />}
    </Box>
  );
}
