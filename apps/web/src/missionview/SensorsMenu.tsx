import { Button, Checkbox, Menu, MenuItem } from '@mui/material';
import type { Sensor } from '@osprey/contract';
import { useState } from 'react';
import { formatCount } from '../base/format.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { PLAYERS_MAX } from './layout.ts';
import { texts } from './texts.ts';

type Props = {
  /** Sensors that have a player; an AIS receiver has none. */
  sensors: readonly Sensor[];
  shown: readonly string[];
  onShown: (ids: string[]) => void;
};

/** Button with the number of sensors that can be shown, and a menu to choose those on screen. */
export function SensorsMenu({ sensors, shown, onShown }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { show } = useSnackbar();
  const text = formatCount(sensors.length, texts.sensors);

  function toggle(id: string) {
    const next = shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id].slice(-PLAYERS_MAX);
    // The last sensor cannot be removed, since nothing would be shown.
    if (next.length === 0) return show(texts.noSensors, 'warning');
    // The chosen sensors keep the order of the mission, regardless of the order of clicks.
    onShown(sensors.map(({ _id }) => _id).filter((one) => next.includes(one)));
  }

  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ fontWeight: 600, flex: 'none' }}
      >
        {text}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} aria-label={texts.chooseSensors}>
        {sensors.map((sensor) => (
          <MenuItem
            key={sensor._id}
            role="menuitemcheckbox"
            aria-checked={shown.includes(sensor._id)}
            onClick={() => toggle(sensor._id)}
          >
            <Checkbox
              checked={shown.includes(sensor._id)}
              tabIndex={-1}
              slotProps={{ input: { 'aria-hidden': true } }}
              sx={{ mr: 1 }}
            />
            {sensor.name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
