import { mdiDotsHorizontal } from '@mdi/js';
import { Box, ButtonBase, ListItemIcon, MenuItem } from '@mui/material';
import { useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { size } from '../base/sizes.ts';
import { texts } from '../base/texts.ts';
import { Menu } from '../ui/Floating.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LabelBar } from './LabelBar.tsx';
import { isPlaceOf, type MenuEntry } from './menu-entry.ts';

/** Number of entries that fit next to each other; if there are more, the last place opens the rest. */
const PLACES = 5;

const placeSx = {
  flex: 1,
  flexDirection: 'column',
  gap: 0.5,
  minHeight: size.bottomBar,
  color: 'text.secondary',
  fontSize: 12,
  lineHeight: '16px',
  fontWeight: 500,
  '&.active': { color: 'primary.main' },
} as const;

/**
 * Menu of a phone, with the second label bar above it. It lies below dialogs, whose buttons it would otherwise cover.
 */
export function BottomBar({ entries }: { entries: readonly MenuEntry[] }) {
  const shown = entries.length > PLACES ? entries.slice(0, PLACES - 1) : entries;
  return (
    <Box sx={{ display: { xs: 'block', sm: 'none' }, flex: 'none', pb: 'env(safe-area-inset-bottom)' }}>
      <Box sx={{ isolation: 'isolate' }}>
        <LabelBar />
      </Box>
      <Box
        component="nav"
        aria-label={texts.menu.label}
        sx={{
          display: 'flex',
          minHeight: size.bottomBar + 1,
          bgcolor: 'surface.panel',
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        {shown.map((entry) => (
          <ButtonBase key={entry.path} component={NavLink} to={entry.path} sx={placeSx}>
            <Icon path={entry.icon} sx={{ fontSize: 20 }} />
            {entry.label}
          </ButtonBase>
        ))}
        {entries.length > shown.length && <More entries={entries.slice(shown.length)} />}
      </Box>
    </Box>
  );
}

function More({ entries }: { entries: readonly MenuEntry[] }) {
  const { pathname } = useLocation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <ButtonBase
        aria-haspopup="menu"
        className={entries.some((entry) => isPlaceOf(entry, pathname)) ? 'active' : ''}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={placeSx}
      >
        <Icon path={mdiDotsHorizontal} sx={{ fontSize: 20 }} />
        {texts.menu.more}
      </ButtonBase>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {entries.map(({ path, from, label, icon }) => (
          <MenuItem key={path} component={NavLink} to={from?.(pathname) ?? path} onClick={close} sx={{ minHeight: 44 }}>
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
