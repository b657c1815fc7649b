import { mdiArrowLeft, mdiClose, mdiShareVariantOutline } from '@mdi/js';
import { Box, useMediaQuery } from '@mui/material';
import type { Mission } from '@osprey/contract';
import type { ComponentProps } from 'react';
import { PHONE_VIEW } from '../base/sizes.ts';
import { texts } from '../missions/texts.ts';
import type { Below } from '../missionview/TableDock.tsx';
import { ToolGroup } from '../missionview/ViewBar.tsx';
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
  /** Tabs of the table, and how one is chosen while it is closed. */
  tabs: Below['tabs'];
  onTab: Below['onTab'];
};

/** View of the open mission, with the buttons of the page. */
export function OpenedMission({ mission, current, table, tabs, onTab, ...props }: Props) {
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
            <ToolGroup>
              <Action
                label={texts.toolbar.share}
                word={texts.toolbar.share}
                icon={mdiShareVariantOutline}
                onClick={() => share(current.link())}
              />
              <Action label={texts.view.close} icon={phone ? mdiArrowLeft : mdiClose} onClick={current.close} />
            </ToolGroup>
          }
          below={phone ? null : { content: (shown) => <MovablePlace movable={table} hidden={!shown} />, tabs, onTab }}
        />
      </ErrorBoundary>
    </Box>
  );
}
