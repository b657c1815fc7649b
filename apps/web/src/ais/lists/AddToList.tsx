import { mdiPlaylistPlus } from '@mdi/js';
import { Box, Button, Checkbox, Menu, MenuItem } from '@mui/material';
import { can, type ShipListRow } from '@osprey/contract';
import { type SyntheticEvent, useState } from 'react';
import { useActor } from '../../api/session.ts';
import { fill, plainText } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Swatch } from '../../ui/Swatch.tsx';
import { listTexts as texts } from './texts.ts';
import { useSaveShips } from './useSaveShips.ts';
import { useListsWith, useShipLists } from './useShipLists.ts';

const ListDialog = laterDialog(async () => (await import('./ListDialog.tsx')).ListDialog);

const stop = (event: SyntheticEvent) => event.stopPropagation();
const none: readonly string[] = [];

type Props = { mmsi: number /** As the table or card calls it. */; name: string; look: 'icon' | 'button' };

/** Button that adds a ship to lists and removes it from lists. Renders nothing for guests, who cannot have lists. */
export function AddToList({ mmsi, name, look }: Props) {
  const actor = useActor();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [making, setMaking] = useState(false);
  if (!can(actor, 'shiplist.createAny').allowed) return null;
  const opening = {
    'aria-haspopup': 'menu' as const,
    onClick: (event: { currentTarget: HTMLElement }) => setAnchor(event.currentTarget),
  };
  return (
    // Stops clicks and key presses in the dialog from reaching the table row around the button.
    <Box sx={{ display: 'contents' }} onClick={stop} onKeyDown={stop}>
      {look === 'icon' ? (
        <Action label={fill(texts.addNamed, { name })} icon={mdiPlaylistPlus} {...opening} />
      ) : (
        <Button
          variant="outlined"
          startIcon={<Icon path={mdiPlaylistPlus} />}
          {...opening}
          sx={{ justifySelf: 'start' }}
        >
          {texts.addShip}
        </Button>
      )}
      {anchor !== null && (
        <ListMenu
          mmsi={mmsi}
          name={name}
          anchor={anchor}
          onClose={() => setAnchor(null)}
          onNew={() => {
            setAnchor(null);
            setMaking(true);
          }}
        />
      )}
      {making && (
        <ListDialog row={null} start={{ name: '', ships: [{ mmsi, note: '' }] }} onClose={() => setMaking(false)} />
      )}
    </Box>
  );
}

type MenuProps = { mmsi: number; name: string; anchor: HTMLElement; onClose: () => void; onNew: () => void };

function ListMenu({ mmsi, name, anchor, onClose, onNew }: MenuProps) {
  const { rows } = useShipLists({ plain: none as string[] });
  const holding = useListsWith(mmsi, true);
  const { add, takeOff } = useSaveShips();
  const editable = rows.filter((row) => row.editable);
  const toggle = (row: ShipListRow) =>
    void (holding?.has(row._id) ? takeOff(row, [mmsi]) : add(row, [{ mmsi, note: '' }]));
  return (
    <Menu open anchorEl={anchor} onClose={onClose} slotProps={{ list: { 'aria-label': fill(texts.menu, { name }) } }}>
      {editable.map((row) => (
        <MenuItem
          key={row._id}
          role="menuitemcheckbox"
          aria-checked={holding?.has(row._id) ?? false}
          disabled={holding === undefined}
          onClick={() => toggle(row)}
          sx={{ gap: 2, maxWidth: 320 }}
        >
          <Checkbox checked={holding?.has(row._id) ?? false} tabIndex={-1} aria-hidden="true" sx={{ ml: -1 }} />
          {row.colour !== null && <Swatch color={row.colour} />}
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {plainText(row.name)}
          </Box>
        </MenuItem>
      ))}
      {editable.length === 0 && <MenuItem disabled>{texts.noneToChange}</MenuItem>}
      <MenuItem divider={false} onClick={onNew}>
        {texts.add}…
      </MenuItem>
    </Menu>
  );
}
