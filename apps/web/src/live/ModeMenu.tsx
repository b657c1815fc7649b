import { mdiAlert, mdiChevronDown } from '@mdi/js';
import { Box, Button, ListItemText, MenuItem } from '@mui/material';
import { videoModes } from '@osprey/contract';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { Menu } from '../ui/Floating.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';
import type { LiveModeState } from './useLiveMode.ts';

/**
 * Menu with the mode in which the sensor is watched and the reason for it, and the other modes, with the reason if one
 * is not possible.
 */
export function ModeMenu({ modes }: { modes: LiveModeState }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { mode, chosen, passed } = modes;
  const reasons = passed.map((one) => fill(texts.fellBack, { mode: texts.modes[one.mode], reason: one.reason }));

  function choose(next: Parameters<typeof modes.choose>[0]) {
    setAnchor(null);
    modes.choose(next);
  }

  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={fill(texts.mode, { mode: texts.modes[mode] })}
        title={reasons.join(' ')}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<Icon path={mdiChevronDown} />}
        startIcon={passed.length > 0 ? <Icon path={mdiAlert} sx={{ color: 'warning.main' }} /> : null}
        sx={{ height: 24, px: 1, color: 'inherit', fontSize: 12, minWidth: 0 }}
      >
        {texts.modes[mode]}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem
          role="menuitemradio"
          aria-checked={chosen === null}
          selected={chosen === null}
          onClick={() => choose(null)}
        >
          <ListItemText primary={texts.best} secondary={reasons.join(' ') || undefined} sx={{ maxWidth: 320 }} />
        </MenuItem>
        {videoModes.map((one) => {
          const refusal = modes.refusalOf(one);
          return (
            <MenuItem
              key={one}
              role="menuitemradio"
              aria-checked={chosen === one}
              selected={chosen === one}
              aria-disabled={refusal !== null}
              onClick={() => refusal === null && choose(one)}
            >
              <ListItemText
                primary={<Box sx={refusal === null ? {} : { color: 'text.disabled' }}>{texts.modes[one]}</Box>}
                secondary={refusal ?? undefined}
                sx={{ maxWidth: 320, '& p': { whiteSpace: 'normal' } }}
              />
            </MenuItem>
          );
        })}
      </Menu>
    </>
  );
}
