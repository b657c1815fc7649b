import { mdiCameraOutline } from '@mdi/js';
import type { InView, OpenView, ViewFeature } from '../missionview/feature.ts';
import { useMoment } from '../missionview/useMoment.ts';
import { drawnOnScreen, pictureOnScreen } from './capture.ts';
import type { SnapshotOf } from './moment.ts';
import { SnapshotAction } from './SnapshotAction.tsx';
import { texts } from './texts.ts';
import { useSnapshots } from './useSnapshots.ts';
import { useSnapshotTaking } from './useSnapshotTaking.tsx';

export const snapshotsFeature: ViewFeature = {
  id: 'snapshots',
  keys: [
    { keys: { S: 'snapshot' }, text: 'Snapshot of this picture' },
    { keys: { 'Shift S': 'quickSnapshot' }, text: 'Snapshot without a dialog' },
  ],
  menu: [{ command: 'snapshot', label: texts.menu, icon: mdiCameraOutline }],
  actions: [{ group: 'marks', Button: SnapshotAction }],
  useInView: useSnapshotsInView,
  activityTexts: { 'snapshot.create': 'Took a snapshot', 'snapshot.list': 'Listed snapshots' },
};

function useSnapshotsInView(view: OpenView): InView {
  const { onScreen } = useMoment(view);
  const taking = useSnapshotTaking();
  const marks = useSnapshots(view.marked?._id ?? null);

  /** Taking a snapshot has its own right: users who may not bookmark may still take one. */
  function snapshotBy(take: (of: SnapshotOf) => void) {
    const moment = onScreen();
    if (moment === null) return;
    const { shownId, sensorName, recorded } = moment;
    take({
      ...moment,
      missionId: recorded?.missionId ?? null,
      sensor: { _id: recorded?.sensorId ?? shownId, name: sensorName },
      picture: pictureOnScreen(shownId),
      overlays: drawnOnScreen(shownId),
    });
  }

  return {
    marks,
    commands: {
      snapshot: () => snapshotBy(taking.ask),
      quickSnapshot: () => snapshotBy(taking.takeAtOnce),
    },
    dialogs: taking.dialog,
  };
}
