import { can, type Mission, type Sensor } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { useActor } from '../api/session.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { pictureOnScreen } from '../snapshots/capture.ts';
import { type SnapshotOf, shareOf, sourceFields, titleOf } from '../snapshots/moment.ts';
import { texts } from '../snapshots/texts.ts';
import { useSnapshots } from '../snapshots/useSnapshots.ts';
import { useTakeSnapshot } from '../snapshots/useTakeSnapshot.ts';
import type { TimelineMark } from '../timeline/marks.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { audienceOf } from '../ui/fields/sharing.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';

const SnapshotDialog = laterDialog(async () => (await import('../snapshots/SnapshotDialog.tsx')).SnapshotDialog);

type Frame = { sensorId: string; timeUs: number };

type Snapshots = {
  marks: readonly TimelineMark[];
  /** Asks for title and rights. */
  ask: (frame: Frame) => void;
  /** Takes one at once, with the rights of the mission. */
  takeAtOnce: (frame: Frame) => void;
  dialog: ReactNode;
};

/** Snapshots of the mission in view. */
export function useMissionSnapshots(mission: Mission, sensors: readonly Sensor[]): Snapshots {
  const actor = useActor();
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const take = useTakeSnapshot();
  const marks = useSnapshots(mission._id);
  const [asked, setAsked] = useState<SnapshotOf | null>(null);
  const mayTake = can(actor, 'document.createAny').allowed;

  const of = ({ sensorId, timeUs }: Frame): SnapshotOf => ({
    mission,
    sensor: { _id: sensorId, name: sensors.find(({ _id }) => _id === sensorId)?.name ?? '' },
    // A mission whose platform has no name shows a dash.
    platformName: mission.platform.name === '-' ? '' : mission.platform.name,
    timeUs,
    picture: pictureOnScreen(sensorId),
    rights: mission,
  });

  const whereAllowed = (act: (frame: Frame) => void) => (frame: Frame) => {
    if (mayTake) act(frame);
    else show(texts.notAllowed, 'warning');
  };

  return {
    marks,
    ask: whereAllowed((frame) => setAsked(of(frame))),
    takeAtOnce: whereAllowed((frame) => {
      const chosen = of(frame);
      const share = shareOf(chosen, actor, groups);
      void take({
        ...sourceFields(chosen),
        title: titleOf(chosen.timeUs),
        securityClassification: share.label,
        ...audienceOf(share, groups),
      });
    }),
    dialog: asked && <SnapshotDialog of={asked} onClose={() => setAsked(null)} />,
  };
}
