import { mdiMonitor, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import { ListItemIcon, MenuItem } from '@mui/material';
import { useColorScheme } from '@mui/material/styles';
import { useState } from 'react';
import { texts } from '../base/texts.ts';
import { Action } from '../ui/Action.tsx';
import { Menu } from '../ui/Floating.tsx';
import { Icon } from '../ui/Icon.tsx';

const choices = [
  { mode: 'dark', icon: mdiWeatherNight },
  { mode: 'light', icon: mdiWhiteBalanceSunny },
  { mode: 'system', icon: mdiMonitor },
] as const;

/** Menu for the colour scheme. Dark is the default; the choice is remembered in this browser. */
export function ThemeMenu() {
  const { mode, setMode } = useColorScheme();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const current = choices.find((choice) => choice.mode === mode) ?? choices[0];

  return (
    <>
      <Action
        label={texts.theme.label}
        icon={current.icon}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {choices.map((choice) => (
          <MenuItem
            key={choice.mode}
            role="menuitemradio"
            aria-checked={choice.mode === current.mode}
            selected={choice.mode === current.mode}
            onClick={() => {
              setMode(choice.mode);
              setAnchor(null);
            }}
          >
            <ListItemIcon>
              <Icon path={choice.icon} />
            </ListItemIcon>
            {texts.theme[choice.mode]}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
