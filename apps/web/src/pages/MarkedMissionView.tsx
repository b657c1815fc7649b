import { useMediaQuery } from '@mui/material';
import type { ComponentProps } from 'react';
import { ShipsInFrameAction } from '../ais/video/ShipsInFrameAction.tsx';
import { OpenMission } from '../annotations/open-mission.ts';
import { DrawOnVideo } from '../annotations/video/DrawOnVideo.tsx';
import { PHONE_VIEW } from '../base/sizes.ts';
import { BookmarkActions } from '../bookmarks/BookmarkActions.tsx';
import { SpanToCase } from '../cases/add/SpanToCase.tsx';
import { ExportAction } from '../clips/ExportAction.tsx';
import { FoundPlaying } from '../coverage/play/FoundPlaying.tsx';
import { MissionView } from '../missionview/MissionView.tsx';
import { SnapshotAction } from '../snapshots/SnapshotAction.tsx';
import { later } from '../ui/later.tsx';
import { MissionMarks } from './MissionMarks.tsx';
import { type Neighbours, useMissionKeys } from './useMissionKeys.ts';

const TourHost = later(async () => (await import('./tour/TourHost.tsx')).TourHost, { optional: true });
const Viewers = later(async () => (await import('../conference/together/Viewers.tsx')).Viewers, { optional: true });

type Props = Omit<ComponentProps<typeof MissionView>, 'around'> & {
  /** The first picture is there. */
  calm: boolean;
  neighbours: Neighbours;
};

/** The view of a mission with its marks; in one piece, so that its code comes with that of the view. */
export function MarkedMissionView({ actions, calm, neighbours, ...props }: Props) {
  useMissionKeys(props.mission._id, neighbours);
  const phone = useMediaQuery(PHONE_VIEW);
  return (
    <MissionView
      {...props}
      actions={
        <>
          <Viewers missionId={props.mission._id} />
          {!phone && <BookmarkActions />}
          {!phone && <SnapshotAction />}
          {!phone && <ShipsInFrameAction sensors={props.sensors} />}
          <ExportAction />
          {!phone && <SpanToCase mission={props.mission} sensors={props.sensors} />}
          <OpenMission value={props.mission}>
            <DrawOnVideo />
          </OpenMission>
          {calm && <TourHost isSample={props.mission.sample} />}
          {actions}
        </>
      }
      around={(view) => (
        <MissionMarks mission={props.mission} sensors={props.sensors} calm={calm} address={props.address}>
          <FoundPlaying missionId={props.mission._id}>{view}</FoundPlaying>
        </MissionMarks>
      )}
    />
  );
}
