import { Box, ButtonBase } from '@mui/material';
import { can } from '@osprey/contract';
import { NavLink } from 'react-router';
import { useActor } from '../api/session.ts';
import { size, TOUCH_SCREEN } from '../base/sizes.ts';
import { texts } from './texts.ts';

const words = texts.adminTabs;

/** Tabs with the tables of the administration. They are links, since each table is a page of its own. */
export function AdminTabs() {
  const actor = useActor();
  const entries = [
    { path: '/users', label: words.users, shown: can(actor, 'user.list').allowed },
    { path: '/useractivity', label: words.activity, shown: can(actor, 'activity.read').allowed },
    { path: '/usergroups', label: words.groups, shown: can(actor, 'usergroup.manage').allowed },
  ].filter(({ shown }) => shown);
  return (
    <Box component="nav" aria-label={words.label} sx={{ display: 'flex', overflowX: 'auto' }}>
      {entries.map(({ path, label }) => (
        <ButtonBase
          key={path}
          component={NavLink}
          to={path}
          sx={{
            px: 3,
            height: size.toolbar,
            [TOUCH_SCREEN]: { height: size.touch },
            flex: 'none',
            fontSize: 13,
            fontWeight: 500,
            color: 'text.secondary',
            borderBottom: 2,
            borderColor: 'transparent',
            '&:hover': { color: 'text.primary' },
            '&:focus-visible': { outlineOffset: -2 },
            '&.active': { color: 'primary.main', borderColor: 'primary.main' },
          }}
        >
          {label}
        </ButtonBase>
      ))}
    </Box>
  );
}
