import { useMediaQuery } from '@mui/material';
import type { ComponentProps } from 'react';
import { PHONE_VIEW } from '../base/sizes.ts';
import { MissionView } from '../missionview/MissionView.tsx';
import { ViewActions } from '../missionview/ViewActions.tsx';
import { later } from '../ui/later.tsx';
import { MissionHost } from './MissionHost.tsx';
import { type Neighbours, useMissionKeys } from './useMissionKeys.ts';
import { loadViewFeatures } from './view-features.ts';

const TourHost = later(async () => (await import('./tour/TourHost.tsx')).TourHost, { optional: true });

type Props = Omit<ComponentProps<typeof MissionView>, 'around'> & {
  /** The first picture is shown or was waited for. */
  calm: boolean;
  neighbours: Neighbours;
};

/** Loads the view together with the features that it shows. */
export async function loadMissionView() {
  await loadViewFeatures();
  return MarkedMissionView;
}

/** View of a mission with its features, in one component so that their code is loaded together. */
export function MarkedMissionView({ actions, calm, neighbours, ...props }: Props) {
  useMissionKeys(props.mission._id, neighbours);
  const phone = useMediaQuery(PHONE_VIEW);
  return (
    <MissionView
      {...props}
      actions={
        <>
          <ViewActions phone={phone} />
          {calm && <TourHost isSample={props.mission.sample} />}
          {actions}
        </>
      }
      around={(view) => (
        <MissionHost mission={props.mission} sensors={props.sensors} calm={calm} address={props.address}>
          {view}
        </MissionHost>
      )}
    />
  );
}
