import {
  mdiConsole,
  mdiDevices,
  mdiKeyVariant,
  mdiLogin,
  mdiLogout,
  mdiRulerSquare,
  mdiShieldKeyOutline,
  mdiSignDirection,
} from '@mdi/js';
import { Box, Divider, ListItemIcon, MenuItem, MenuList, useMediaQuery } from '@mui/material';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useActor, useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { texts as shell } from '../base/texts.ts';
import { askForTour } from '../base/tour.ts';
import { ThemeMenu } from '../shell/ThemeMenu.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { limitTexts } from './limit-texts.ts';
import { texts } from './texts.ts';

const words = texts.account;

export type AccountDialog = 'units' | 'sessions' | 'password' | 'secondFactor' | 'apiCredentials';

/** Shows the facts of the account and the actions on it, in a popover that is open or fading out. */
export function AccountPanel(props: ChoicesProps) {
  return (
    <>
      <Facts />
      <Divider />
      <Choices {...props} />
    </>
  );
}

function Facts() {
  const actor = useActor();
  const { groups, limit } = useSession();
  const names = groups.map(({ name }) => name).join(', ');
  return (
    <Box component="dl" sx={{ m: 0, p: 4, display: 'grid', gridTemplateColumns: 'auto 1fr', gap: 1, columnGap: 4 }}>
      <Box
        sx={{
          gridColumn: '1 / -1',
          fontSize: 16,
          lineHeight: '24px',
          fontWeight: 600,
          mb: 1,
          overflowWrap: 'anywhere',
          display: 'flex',
        }}
      >
        {actor.username}
        <Box sx={{ ml: 'auto', display: { sm: 'none' } }}>
          <ThemeMenu />
        </Box>
      </Box>
      <Fact name={words.role}>{shell.roles[actor.role]}</Fact>
      <Fact name={words.clearance}>
        <LabelMark label={actor.clearance} />
      </Fact>
      {limit && <Fact name={words.limit}>{fill(limitTexts[limit.by], limit)}</Fact>}
      <Fact name={words.groups}>{names === '' ? words.noGroups : names}</Fact>
    </Box>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </>
  );
}

type ChoicesProps = {
  open: boolean;
  authenticated: boolean;
  onChoose: (dialog: AccountDialog) => void;
  onClose: () => void;
};

function Choices({ open, authenticated, onChoose, onClose }: ChoicesProps) {
  const { logout } = useSession();
  const { show } = useSnackbar();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { username } = useActor();
  const phone = useMediaQuery('(max-width: 599.95px)');
  const list = useRef<HTMLUListElement>(null);
  // Focuses the first entry. The menu list does this itself only when it is mounted, but if it is opened again while
  // fading out, the same list is reused.
  useEffect(() => {
    if (open) list.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [open]);

  function choice(icon: string, label: string, onClick: () => void) {
    return (
      <MenuItem
        onClick={() => {
          onClose();
          onClick();
        }}
      >
        <ListItemIcon>
          <Icon path={icon} />
        </ListItemIcon>
        {label}
      </MenuItem>
    );
  }

  function takeTour() {
    askForTour(username);
    if (pathname === '/missions' && new URLSearchParams(search).has('mission')) return;
    if (pathname !== '/missions') void navigate('/missions');
    show(words.tourWaits, 'info');
  }

  async function leave() {
    // Leave the page first, so that the guest session that follows does not see it.
    await navigate('/login');
    await logout();
    show(words.loggedOut, 'info');
  }

  if (!authenticated) {
    return (
      <MenuList ref={list}>
        {choice(mdiRulerSquare, words.units, () => onChoose('units'))}
        {choice(mdiLogin, words.login, () => void navigate('/login'))}
      </MenuList>
    );
  }
  return (
    <MenuList ref={list}>
      {choice(mdiRulerSquare, words.units, () => onChoose('units'))}
      {choice(mdiDevices, words.sessions, () => onChoose('sessions'))}
      {choice(mdiKeyVariant, words.changePassword, () => onChoose('password'))}
      {choice(mdiShieldKeyOutline, words.secondFactor, () => onChoose('secondFactor'))}
      {choice(mdiConsole, words.apiCredentials, () => onChoose('apiCredentials'))}
      {!phone && choice(mdiSignDirection, words.tour, takeTour)}
      {choice(mdiLogout, words.logout, () => void leave())}
    </MenuList>
  );
}
