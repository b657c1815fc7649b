import { mdiAirplane, mdiChevronDown, mdiCrosshairsGps, mdiHandBackLeftOutline, mdiTarget } from '@mdi/js';
import { Button, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { CENTRE_MODES, type CentreMode } from './map-storage.ts';
import { texts } from './texts.ts';

type Props = { mode: CentreMode; onChoose: (mode: CentreMode) => void };

const choices = [
  { mode: CENTRE_MODES.manual, text: texts.modes.manual, icon: mdiHandBackLeftOutline },
  { mode: CENTRE_MODES.platform, text: texts.modes.platform, icon: mdiAirplane },
  { mode: CENTRE_MODES.frame, text: texts.modes.frame, icon: mdiCrosshairsGps },
  { mode: CENTRE_MODES.target, text: texts.modes.target, icon: mdiTarget },
] as const;

/** Container query for a narrow map, which has room for the icon of the menu but not for its text. */
const NARROW = '@container (max-width: 220px)';

/** Menu that shows what the map follows, and changes it. */
export function CentreModeMenu({ mode, onChoose }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const chosen = choices.find((choice) => choice.mode === mode) ?? choices[0];
  return (
    <>
      <Button
        aria-label={`${texts.follows}: ${chosen.text}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        startIcon={<Icon path={chosen.icon} />}
        endIcon={<Icon path={mdiChevronDown} />}
        sx={{
          height: 28,
          fontSize: 12,
          [NARROW]: { minWidth: 0, '& .words, & .MuiButton-endIcon': { display: 'none' } },
        }}
      >
        <span className="words">{chosen.text}</span>
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {choices.map((choice) => (
          <MenuItem
            key={choice.mode}
            role="menuitemradio"
            aria-checked={choice.mode === mode}
            selected={choice.mode === mode}
            onClick={() => {
              onChoose(choice.mode);
              setAnchor(null);
            }}
          >
            <Icon path={choice.icon} sx={{ mr: 2 }} />
            {choice.text}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
