import { mdiAccountClockOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { accountStates, type Role, roles, type Usergroup } from '@osprey/contract';
import { formatCount } from '../base/format.ts';
import { texts as shell } from '../base/texts.ts';
import { choiceParts } from '../ui/filter/choice-part.tsx';
import { FilterBar, type FilterPart } from '../ui/filter/FilterBar.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';
import { noFilter, type UserFilter } from './useUserFilter.ts';
import { useWaitingCount } from './useUsers.ts';

type Props = {
  filter: UserFilter;
  onChange: (filter: UserFilter) => void;
  groups: readonly Usergroup[];
  total: number | null;
};

const words = texts.filters;

export function UserFilterBar({ filter, onChange, groups, total }: Props) {
  const choices = {
    roles: roles.map((role) => ({ id: role, name: shell.roles[role satisfies Role] })),
    states: accountStates.map((state) => ({ id: state, name: texts.states[state] })),
    usergroups: groups.map(({ _id, name }) => ({ id: _id, name })),
  };

  const filters: FilterPart[] = [
    ...choiceParts({ labels: words, choices, filter, onChange }),
    {
      name: 'online',
      label: words.online,
      text: filter.online ? texts.onlineYes : null,
      onRemove: () => onChange({ ...filter, online: false }),
      onEdit: () => onChange({ ...filter, online: !filter.online }),
    },
    {
      name: 'search',
      label: words.search,
      text: filter.search === '' ? null : filter.search,
      onRemove: () => onChange({ ...filter, search: '' }),
    },
  ];
  const count = total === null ? '' : formatCount(total, texts.count);
  return (
    <>
      <Waiting onShow={() => onChange({ ...noFilter, states: ['waiting'] })} />
      <FilterBar filters={filters} onClear={() => onChange(noFilter)} count={count} />
    </>
  );
}

/** Notice that new accounts wait for approval, shown without a search. */
function Waiting({ onShow }: { onShow: () => void }) {
  const count = useWaitingCount();
  const { show } = texts.waitingBanner;
  if (count === 0) return null;
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 3,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
        bgcolor: 'surface.selected',
      }}
    >
      <Icon path={mdiAccountClockOutline} sx={{ color: 'primary.main' }} />
      {formatCount(count, texts.waitingBanner)}
      <Button variant="text" onClick={onShow}>
        {show}
      </Button>
    </Box>
  );
}
