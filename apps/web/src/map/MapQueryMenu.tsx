import { ListSubheader, Menu, MenuItem } from '@mui/material';
import { aoiModes } from '@osprey/contract';
import { CONTROL_MODES, type MapQueryControl } from './map-query.ts';
import { texts } from './texts.ts';

type Props = MapQueryControl & { anchor: HTMLElement | null; onClose: () => void };

const modes = [
  { value: CONTROL_MODES.none, text: texts.query.none },
  { value: CONTROL_MODES.query, text: texts.query.mission },
  { value: CONTROL_MODES.filter, text: texts.query.filter },
] as const;

const drawModes = ['rectangle', 'polygon'] as const;

/** Menu to choose the purpose of an area drawn on the map, and which part of a recording is compared with it. */
export function MapQueryMenu({ anchor, onClose, ...control }: Props) {
  const { mode, aoiMode, drawMode, onMode, onAoiMode, onDrawMode } = control;
  const isOpen = anchor !== null;
  return (
    // While it closes, the menu still covers the map; without pointer events, it does not catch the first click of a
    // drawing.
    <Menu anchorEl={anchor} open={isOpen} onClose={onClose} sx={isOpen ? {} : { pointerEvents: 'none' }}>
      {modes.map(({ value, text }) => (
        <MenuItem
          key={value}
          role="menuitemradio"
          aria-checked={mode === value}
          selected={mode === value}
          onClick={() => {
            onMode(value);
            onClose();
          }}
        >
          {text}
        </MenuItem>
      ))}
      <ListSubheader role="presentation">{texts.query.draw}</ListSubheader>
      {drawModes.map((one) => (
        <MenuItem
          key={one}
          role="menuitemradio"
          aria-checked={drawMode === one}
          selected={drawMode === one}
          onClick={() => onDrawMode(one)}
        >
          {texts[one]}
        </MenuItem>
      ))}
      <ListSubheader role="presentation">{texts.query.compare}</ListSubheader>
      {aoiModes.map((one) => (
        <MenuItem
          key={one}
          role="menuitemradio"
          aria-checked={aoiMode === one}
          selected={aoiMode === one}
          onClick={() => onAoiMode(one)}
        >
          {texts.query.aoiModes[one]}
        </MenuItem>
      ))}
    </Menu>
  );
}
