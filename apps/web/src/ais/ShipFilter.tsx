import { mdiClose, mdiFilterOutline } from '@mdi/js';
import { Badge, Box, Drawer, useMediaQuery } from '@mui/material';
import { useContext, useState } from 'react';
import { useSession } from '../api/session.ts';
import { PHONE_VIEW } from '../base/sizes.ts';
import type { OpenView } from '../missionview/feature.ts';
import { Action } from '../ui/Action.tsx';
import { Popover } from '../ui/Floating.tsx';
import type { AisFilter } from './ais-filter.ts';
import { countText } from './count-text.ts';
import { Minutes, MissionChoice, TypeChoice } from './filter-fields.tsx';
import { type Ships, ShipsContext } from './ships.ts';
import { texts } from './texts.ts';
import { useAisSources } from './useAisSources.ts';
import { useShipTotal } from './useShipTotal.ts';

const words = texts.filters;
/** Maximum number shown in the badge; the name of the button contains the exact number. */
const BADGE_MAX = 999;
/** Style of the badge: placed inside the button, since the bar clips everything outside of it. */
const badgeStyle = {
  '& .MuiBadge-badge': { top: 6, right: 5, height: 15, minWidth: 15, px: 1, fontSize: 10 },
} as const;

/** Button in the bar above a view: shows how many ships the map may show, and opens their filters. */
export function ShipFilter({ view }: { view: OpenView }) {
  const ships = useContext(ShipsContext);
  const isOffered = useSession().info?.useAis === true && ships !== null;
  return isOffered ? <Filter ships={ships} calm={view.calm} /> : null;
}

function Filter({ ships: { filter, change }, calm }: { ships: Ships; calm: boolean }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isPhone = useMediaQuery(PHONE_VIEW);
  const total = useShipTotal(filter, calm);
  const count = total === null ? '' : countText(total, filter.mode === 'all');
  const name = count === '' ? words.label : `${words.label}: ${count}`;
  const close = () => setAnchor(null);
  const fields = <Fields {...{ filter, count, onChange: change }} />;
  const panel = { role: 'dialog', 'aria-label': words.label };
  return (
    <>
      <Badge
        badgeContent={total ?? 0}
        max={BADGE_MAX}
        color="primary"
        overlap="circular"
        data-part="ships-total"
        sx={badgeStyle}
      >
        <Action
          label={name}
          word={words.word}
          icon={mdiFilterOutline}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        />
      </Badge>
      {isPhone ? (
        <Drawer
          anchor="bottom"
          open={anchor !== null}
          onClose={close}
          slotProps={{
            paper: {
              ...panel,
              sx: { p: 4, borderTopLeftRadius: 12, borderTopRightRadius: 12, bgcolor: 'surface.raised' },
            },
          }}
        >
          <Box sx={{ display: 'flex', alignItems: 'center', mb: 3 }}>
            <Box component="h2" sx={{ m: 0, flex: 1, fontSize: 16 }}>
              {words.label}
            </Box>
            <Action label={words.close} icon={mdiClose} onClick={close} sx={{ width: 44, height: 44 }} />
          </Box>
          {fields}
        </Drawer>
      ) : (
        <Popover
          open={anchor !== null}
          anchorEl={anchor}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{
            paper: {
              ...panel,
              sx: {
                ...{ p: 4, mt: 1, width: 320, border: 1, borderColor: 'divider', borderRadius: 2.5 },
                bgcolor: 'surface.raised',
              },
            },
          }}
        >
          {fields}
        </Popover>
      )}
    </>
  );
}

type FieldsProps = { filter: AisFilter; count: string; onChange: (part: Partial<AisFilter>) => void };

/** Shows the fields one below the other. The label column is as wide as the longest label. */
function Fields({ filter, count, onChange }: FieldsProps) {
  const { data } = useAisSources();
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 3,
        '& .MuiFormControlLabel-root': { justifyContent: 'space-between' },
        '& .MuiTextField-root': { width: 200, maxWidth: 'none' },
      }}
    >
      <MissionChoice filter={filter} missions={data?.missions ?? []} onChange={onChange} />
      <TypeChoice filter={filter} onChange={onChange} />
      <Minutes label={words.retention} value={filter.retention} onChange={(retention) => onChange({ retention })} />
      <Minutes label={words.trail} value={filter.trail} onChange={(trail) => onChange({ trail })} />
      <Box role="status" sx={{ color: 'text.secondary', textAlign: 'right', minHeight: 20 }}>
        {count}
      </Box>
    </Box>
  );
}
