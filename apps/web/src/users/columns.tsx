import { Box, Chip, Tooltip } from '@mui/material';
import type { User } from '@osprey/contract';
import { formatNumber, formatTime } from '../base/format.ts';
import { texts as shell } from '../base/texts.ts';
import { Flag } from '../ui/Flag.tsx';
import { codeOfCountry } from '../ui/fields/countries.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { fullName, onlineText } from './facts.ts';
import { texts } from './texts.ts';

const words = texts.columns;

function Name({ user }: { user: User }) {
  const { username, onlineCount, state } = user;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
      <Tooltip title={onlineText(onlineCount)}>
        <Box component="span" role="img" aria-label={onlineText(onlineCount)} sx={{ display: 'flex' }}>
          <StateDot state={onlineCount > 0 ? 'online' : 'offline'} />
        </Box>
      </Tooltip>
      <Box
        component="span"
        sx={{
          fontWeight: 600,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          ...(state === 'disabled' && { color: 'text.secondary' }),
        }}
      >
        {username}
      </Box>
      {state !== 'active' && <Chip label={texts.states[state]} variant="outlined" />}
    </Box>
  );
}

/** A country with its flag. It is stored as it was typed: as a name, or as a code of two letters. */
function Country({ country }: { country: string }) {
  const code = codeOfCountry(country);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }} title={country}>
      {code !== '' && <Flag code={code} />}
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {country}
      </Box>
    </Box>
  );
}

const groupsText = ({ authorizationRole, usergroups }: User): string =>
  authorizationRole === 'superAdmin' || authorizationRole === 'groupAdmin'
    ? texts.all
    : formatNumber(usergroups.length);

export const userColumns: readonly Column<User>[] = [
  {
    id: 'username',
    header: words.username,
    width: 190,
    grow: 1.2,
    sortable: true,
    fixed: true,
    cell: (user) => <Name user={user} />,
  },
  { id: 'name', header: words.name, width: 130, grow: 1, sortable: true, cell: fullName },
  { id: 'company', header: words.company, width: 130, grow: 1, sortable: true, cell: ({ company }) => company },
  { id: 'email', header: words.email, width: 180, grow: 1, sortable: true, cell: ({ email }) => email },
  {
    id: 'country',
    header: words.country,
    width: 120,
    sortable: true,
    cell: ({ country }) => <Country country={country} />,
  },
  {
    id: 'role',
    header: words.role,
    width: 110,
    sortable: true,
    cell: ({ authorizationRole }) => shell.roles[authorizationRole],
  },
  {
    id: 'clearance',
    priority: 2,
    header: words.clearance,
    width: 130,
    sortable: true,
    cell: ({ securityClearance }) => <LabelMark label={securityClearance} />,
  },
  { id: 'groups', header: words.groups, width: 76, priority: 1, align: 'right', cell: groupsText },
  {
    id: 'online',
    priority: 1,
    header: words.online,
    width: 76,
    align: 'right',
    cell: ({ onlineCount }) => formatNumber(onlineCount),
  },
  {
    id: 'registered',
    header: words.registered,
    width: 160,
    sortable: true,
    cell: ({ registered }) => formatTime(registered),
  },
  {
    id: 'lastAccess',
    header: words.lastAccess,
    width: 160,
    sortable: true,
    cell: ({ lastAccess }) => (lastAccess === null ? texts.never : formatTime(lastAccess)),
  },
];

export const hiddenAtFirst: readonly string[] = ['email', 'registered'];

/** Columns on a phone: account and clearance, which fit even into 320 px. */
export const narrowColumns = userColumns
  .filter(({ id }) => id === 'username' || id === 'clearance')
  .map((column) => (column.id === 'username' ? { ...column, width: 144 } : column));
