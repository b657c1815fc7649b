import {
  mdiBookmarkPlusOutline,
  mdiCameraOutline,
  mdiContainEnd,
  mdiContainStart,
  mdiDotsHorizontal,
  mdiMovieOpenOutline,
} from '@mdi/js';
import { ListItemIcon, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import type { MarkCommand, RunMark } from '../missionview/mark-commands.ts';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { markMenuTexts as texts } from './mark-menu-texts.ts';

const lines: readonly { command: MarkCommand; label: string; icon: string }[] = [
  { command: 'bookmark', label: texts.bookmark, icon: mdiBookmarkPlusOutline },
  { command: 'snapshot', label: texts.snapshot, icon: mdiCameraOutline },
  { command: 'in', label: texts.setIn, icon: mdiContainStart },
  { command: 'out', label: texts.setOut, icon: mdiContainEnd },
  { command: 'export', label: texts.export, icon: mdiMovieOpenOutline },
];

/** Next to the round button of a phone: other actions on the moment on screen. */
export function MarkMenu({ run }: { run: RunMark }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);

  function choose(command: MarkCommand) {
    setAnchor(null);
    run(command);
  }

  return (
    <>
      <Action
        label={texts.open}
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
          <MenuItem key={command} onClick={() => choose(command)} sx={{ minHeight: 44 }}>
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
