import {
  mdiBookmarkPlusOutline,
  mdiCameraOutline,
  mdiContainEnd,
  mdiContainStart,
  mdiDotsHorizontal,
  mdiMovieOpenOutline,
} from '@mdi/js';
import { Fab, ListItemIcon, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import type { MarkCommand, RunMark } from '../missionview/mark-commands.ts';
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
      <Fab
        size="small"
        aria-label={texts.open}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          ...{ position: 'absolute', right: 80, bottom: 50, zIndex: 2, width: 44, height: 44 },
          ...{ bgcolor: 'surface.panel', color: 'text.primary', '&:hover': { bgcolor: 'surface.base' } },
        }}
      >
        <Icon path={mdiDotsHorizontal} />
      </Fab>
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
