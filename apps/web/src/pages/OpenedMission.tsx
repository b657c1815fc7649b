import { mdiArrowLeft, mdiClose, mdiShareVariantOutline } from '@mdi/js';
import { Box, useMediaQuery } from '@mui/material';
import type { Mission } from '@osprey/contract';
import type { ComponentProps } from 'react';
import { PHONE_VIEW } from '../base/sizes.ts';
import { texts } from '../missions/texts.ts';
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx';
import { Action } from '../ui/Action.tsx';
import { MovablePlace, type useMovable } from '../ui/Movable.tsx';
import { useShare } from '../ui/share/useShare.tsx';
import { MissionView } from './ahead.ts';
import type { useOpenMission } from './useOpenMission.ts';

type Props = Pick<ComponentProps<typeof MissionView>, 'regionRef' | 'onFirstFrame' | 'calm' | 'neighbours'> & {
  mission: Mission;
  current: Pick<ReturnType<typeof useOpenMission>, 'sensors' | 'address' | 'link' | 'close'>;
  /** The table, placed below the stage except on a phone. */
  table: ReturnType<typeof useMovable>;
};

/** View of the open mission, with the buttons of the page. */
export function OpenedMission({ mission, current, table, ...props }: Props) {
  const { share, popover } = useShare();
  const phone = useMediaQuery(PHONE_VIEW);
  return (
    <Box sx={{ flex: 1, minHeight: 0 }}>
      {popover}
      <ErrorBoundary key={mission._id}>
        <MissionView
          {...props}
          mission={mission}
          sensors={current.sensors}
          address={current.address}
          actions={
            <>
              <Action label={texts.toolbar.share} icon={mdiShareVariantOutline} onClick={() => share(current.link())} />
              <Action label={texts.view.close} icon={phone ? mdiArrowLeft : mdiClose} onClick={current.close} />
            </>
          }
          below={phone ? null : <MovablePlace movable={table} />}
        />
      </ErrorBoundary>
    </Box>
  );
}
