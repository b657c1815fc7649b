import { mdiAlert, mdiChevronDown } from '@mdi/js';
import { Box, ButtonBase, ListItemText, MenuItem } from '@mui/material';
import { videoModes } from '@osprey/contract';
import { type RefObject, useState } from 'react';
import { fill } from '../base/format.ts';
import { Menu } from '../ui/Floating.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';
import type { LiveModeState } from './useLiveMode.ts';

const reasonsOf = ({ passed }: LiveModeState) =>
  passed.map((one) => fill(texts.fellBack, { mode: texts.modes[one.mode], reason: one.reason })).join(' ');

/** Name of the mode in which the sensor is watched, with a warning if a better mode failed. A click opens the menu. */
export function ModeName({ modes, onClick }: { modes: LiveModeState; onClick: () => void }) {
  return (
    <Box
      component="span"
      data-part="mode-name"
      title={reasonsOf(modes)}
      onClick={onClick}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, fontSize: 12, cursor: 'pointer', mr: -1 }}
    >
      {modes.passed.length > 0 && <Icon path={mdiAlert} sx={{ color: 'warning.main', fontSize: 16 }} />}
      {texts.modes[modes.mode]}
    </Box>
  );
}

/**
 * Menu with the mode in which the sensor is watched and the reason for it, and the other modes, with the reason if one
 * is not possible.
 */
export function ModeMenu({ modes, button }: { modes: LiveModeState; button: RefObject<HTMLButtonElement | null> }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { mode, chosen } = modes;
  const reasons = reasonsOf(modes);

  function choose(next: Parameters<typeof modes.choose>[0]) {
    setAnchor(null);
    modes.choose(next);
  }

  return (
    <>
      <ButtonBase
        ref={button}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={fill(texts.mode, { mode: texts.modes[mode] })}
        title={reasons}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: 24, height: 28, borderRadius: 1, '&:hover': { bgcolor: 'rgb(255 255 255 / 0.16)' } }}
      >
        <Icon path={mdiChevronDown} />
      </ButtonBase>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem
          role="menuitemradio"
          aria-checked={chosen === null}
          selected={chosen === null}
          onClick={() => choose(null)}
        >
          <ListItemText primary={texts.best} secondary={reasons || undefined} sx={{ maxWidth: 320 }} />
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
