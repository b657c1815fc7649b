import { Button, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { SPEEDS } from '../onscreen/clock/mission-clock.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useParts } from '../onscreen/parts.ts';
import { texts } from './texts.ts';

/** How fast the clock runs. */
export function SpeedMenu() {
  const { clock } = useParts();
  const { speed } = useClockState(clock);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="text"
        aria-label={fill(texts.speed, { speed })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ minWidth: 48 }}
      >
        {fill(texts.speedValue, { speed })}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {SPEEDS.map((one) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={one === speed}
            selected={one === speed}
            onClick={() => {
              clock.setSpeed(one);
              setAnchor(null);
            }}
          >
            {fill(texts.speedValue, { speed: one })}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
