import { mdiDotsHorizontal } from '@mdi/js';
import { ListItemIcon, Menu, MenuItem } from '@mui/material';
import { useContext, useState } from 'react';
import { type FeatureCommands, OpenViewContext } from '../missionview/feature-commands.ts';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';

/** Menu next to the round button on a phone, with other actions on the current frame. */
export function MarkMenu({ commands }: { commands: FeatureCommands }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = useContext(OpenViewContext);
  const lines = commands.menu.filter(({ isOffered }) => open === null || (isOffered?.(open.view) ?? true));

  function choose(command: string) {
    setAnchor(null);
    commands.run(command);
  }

  return (
    <>
      <Action
        label={texts.more}
        icon={mdiDotsHorizontal}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: 44, height: 44, ml: 'auto' }}
      />
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      >
        {lines.map(({ command, label, icon }) => (
          <MenuItem key={label} onClick={() => choose(command)} sx={{ minHeight: 44 }}>
            <ListItemIcon>
              <Icon path={icon} />
            </ListItemIcon>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
