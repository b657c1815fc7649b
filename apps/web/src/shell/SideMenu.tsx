import { Box, ButtonBase, Divider, Typography } from '@mui/material';
import { NavLink, useLocation } from 'react-router';
import { LOW_WINDOW, size } from '../base/sizes.ts';
import { texts } from '../base/texts.ts';
import { Icon } from '../ui/Icon.tsx';
import { isPlaceOf, type MenuEntry } from './menu-entry.ts';

type Props = { entries: readonly MenuEntry[]; open: boolean };

/** Menu at the left: icons with short labels when closed, a list when open. A low window shows only the list. */
export function SideMenu({ entries, open }: Props) {
  const groups = Map.groupBy(entries, ({ group }) => group);
  const entriesOf = (group: MenuEntry['group']) =>
    groups.get(group)?.map((entry) => <Entry key={entry.path} entry={entry} open={open} />);
  return (
    <Box
      component="nav"
      aria-label={texts.menu.label}
      data-part={open ? 'rail-open' : 'rail'}
      sx={{
        width: open ? size.railOpen : size.rail,
        flex: 'none',
        display: { xs: 'none', sm: 'flex' },
        ...(!open && { [`@media ${LOW_WINDOW}`]: { display: 'none' } }),
        flexDirection: 'column',
        gap: 1,
        p: open ? 2 : 1,
        borderRight: 1,
        borderColor: 'divider',
        bgcolor: 'surface.panel',
        overflowY: 'auto',
      }}
    >
      {entriesOf('main')}
      {groups.has('admin') && (
        <>
          <Divider sx={{ my: 1 }} />
          {open && <Heading>{texts.menu.admin}</Heading>}
          {entriesOf('admin')}
        </>
      )}
      <Box sx={{ flex: 1 }} />
      {open && <Heading>{texts.menu.misc}</Heading>}
      {entriesOf('misc')}
    </Box>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <Typography variant="caption" component="h2" sx={{ color: 'text.secondary', px: 2, pb: 1 }}>
      {children}
    </Typography>
  );
}

function Entry({ entry, open }: { entry: MenuEntry; open: boolean }) {
  const { pathname } = useLocation();
  return (
    <ButtonBase
      component={NavLink}
      to={entry.from?.(pathname) ?? entry.path}
      {...(isPlaceOf(entry, pathname) && { className: 'active' })}
      sx={{
        display: 'flex',
        flexDirection: open ? 'row' : 'column',
        justifyContent: open ? 'flex-start' : 'center',
        gap: open ? 3 : 0.5,
        minHeight: open ? size.control + 4 : size.touch,
        px: open ? 2.5 : 0,
        borderRadius: 1.5,
        color: 'text.secondary',
        fontSize: open ? 13 : 11,
        lineHeight: '16px',
        fontWeight: 500,
        '&:hover': { bgcolor: 'surface.hover' },
        '&.active': { bgcolor: 'surface.selected', color: 'text.primary', '& svg': { color: 'primary.main' } },
      }}
    >
      <Icon path={entry.icon} sx={{ fontSize: 20 }} />
      {open ? entry.label : (entry.short ?? entry.label)}
    </ButtonBase>
  );
}
