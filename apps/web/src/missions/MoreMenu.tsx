import { mdiDotsVertical } from '@mdi/js';
import { MenuItem } from '@mui/material';
import { can, type Mission } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { Action } from '../ui/Action.tsx';
import { Menu } from '../ui/Floating.tsx';
import { texts } from './texts.ts';

type Props = { missions: readonly Mission[]; onRemoveSamples: () => void };

/** Menu with rarely used actions of admin mode. Renders nothing if there are none. */
export function MoreMenu({ missions, onRemoveSamples }: Props) {
  const actor = useActor();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!missions.some(({ sample }) => sample) || !can(actor, 'sample.remove').allowed) return null;
  return (
    <>
      <Action
        label={texts.toolbar.more}
        icon={mdiDotsVertical}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem
          onClick={() => {
            setAnchor(null);
            onRemoveSamples();
          }}
        >
          {texts.samples.remove}
        </MenuItem>
      </Menu>
    </>
  );
}
