import { Button, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { SPEEDS } from '../onscreen/clock/mission-clock.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { texts } from './texts.ts';

type Props = {
  /** Offered speeds in ascending order; if omitted, those of video. */
  speeds?: readonly number[];
  /** Names of the button and its entries, with `{speed}`. */
  words?: Pick<typeof texts, 'speed' | 'speedValue'>;
};

/** Menu for the speed of the clock. */
export function SpeedMenu({ speeds = SPEEDS, words = texts }: Props) {
  const { clock } = useViewServices();
  const { speed } = useClockState(clock);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="text"
        aria-label={fill(words.speed, { speed })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ minWidth: 48 }}
      >
        {fill(words.speedValue, { speed })}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {speeds.map((one) => (
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
            {fill(words.speedValue, { speed: one })}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
