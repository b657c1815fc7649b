import { mdiPlus } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { onlineUsersEvent } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatNumber } from '../base/format.ts';
import { useServerEvent } from '../events/events.ts';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import type { Columns } from '../ui/table/useColumnChoice.ts';
import { userColumns } from './columns.tsx';
import { texts } from './texts.ts';

type Props = {
  search: string;
  onSearch: (text: string) => void;
  columns: Columns;
  /** Opens the dialog for a new account; null if this role may not add any. */
  onAdd: (() => void) | null;
};

export function UsersTools({ search, onSearch, columns, onAdd }: Props) {
  return (
    <>
      <OnlineCount />
      <SearchField label={texts.search} value={search} onChange={onSearch} />
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <ColumnsMenu
          columns={userColumns}
          hidden={columns.choice.hidden}
          onToggle={columns.toggle}
          onReset={columns.reset}
        />
      </Box>
      {onAdd && (
        <Button
          variant="contained"
          color="primary"
          startIcon={<Icon path={mdiPlus} />}
          aria-label={texts.addLabel}
          onClick={onAdd}
        >
          {texts.add}
        </Button>
      )}
    </>
  );
}

/** Number of users online, which the server sends whenever it changes; nothing is shown before the first event. */
function OnlineCount() {
  const [count, setCount] = useState<number | null>(null);
  useServerEvent(onlineUsersEvent, ({ onlineUsers }) => setCount(onlineUsers));
  if (count === null) return null;
  return (
    <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 1.5, whiteSpace: 'nowrap' }}>
      <StateDot state="online" />
      {fill(texts.onlineCount, { count: formatNumber(count) })}
    </Box>
  );
}
