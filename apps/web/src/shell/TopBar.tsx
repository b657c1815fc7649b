import { mdiMenu } from '@mdi/js';
import { Box, Divider, Link, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useSession } from '../api/session.ts';
import { size } from '../base/sizes.ts';
import { texts } from '../base/texts.ts';
import { useServerState } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Clock } from './Clock.tsx';
import { ServerStateMark } from './ServerStateMark.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';

type Props = {
  menuOpen: boolean;
  onMenu: () => void;
  activity: ReactNode;
  account: ReactNode;
};

export function TopBar({ menuOpen, onMenu, activity, account }: Props) {
  const { info } = useSession();
  const state = useServerState();
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 2, md: 3 },
        height: size.topBar,
        flex: 'none',
        px: { xs: 3, sm: 2 },
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: 'surface.panel',
      }}
    >
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <Action
          label={menuOpen ? texts.menu.close : texts.menu.open}
          icon={mdiMenu}
          aria-expanded={menuOpen}
          onClick={onMenu}
        />
      </Box>
      <Link
        component={NavLink}
        to="/missions"
        color="inherit"
        underline="none"
        sx={{ display: 'flex', alignItems: 'center', height: size.touch, gap: 2, fontSize: 16, fontWeight: 600 }}
      >
        {info?.logo ? <Box component="img" src={info.logo} alt="" sx={{ height: 24 }} /> : <Logo />}
        {texts.product}
      </Link>
      {info?.company && (
        <>
          <Divider orientation="vertical" flexItem sx={{ my: 3, display: { xs: 'none', md: 'block' } }} />
          <Typography
            variant="body2"
            noWrap
            sx={{ color: 'text.secondary', display: { xs: 'none', md: 'block' }, minWidth: 0 }}
          >
            {info.company}
          </Typography>
        </>
      )}
      <Box sx={{ flex: 1 }} />
      <ServerStateMark state={state} />
      <Clock stale={state !== 'Online'} />
      {activity}
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <ThemeMenu />
      </Box>
      {account}
    </Box>
  );
}
