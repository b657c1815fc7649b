import { mdiViewColumnOutline } from '@mdi/js';
import { Checkbox, Divider, MenuItem } from '@mui/material';
import { useState } from 'react';
import { Action } from '../Action.tsx';
import { Menu } from '../Floating.tsx';
import { texts } from '../texts.ts';

type Props = {
  columns: readonly { id: string; header: string; fixed?: boolean }[];
  hidden: readonly string[];
  onToggle: (column: string) => void;
  onReset: () => void;
};

/** Menu of the visible columns; fixed ones are always visible. */
export function ColumnsMenu({ columns, hidden, onToggle, onReset }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Action
        label={texts.columns}
        icon={mdiViewColumnOutline}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {columns
          .filter(({ fixed }) => !fixed)
          .map(({ id, header }) => (
            <MenuItem key={id} role="menuitemcheckbox" aria-checked={!hidden.includes(id)} onClick={() => onToggle(id)}>
              <Checkbox checked={!hidden.includes(id)} tabIndex={-1} aria-hidden="true" sx={{ ml: -1, mr: 1 }} />
              {header}
            </MenuItem>
          ))}
        <Divider />
        <MenuItem
          onClick={() => {
            onReset();
            setAnchor(null);
          }}
        >
          {texts.resetColumns}
        </MenuItem>
      </Menu>
    </>
  );
}
