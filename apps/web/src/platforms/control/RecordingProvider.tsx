import type { LivePlatform } from '@osprey/contract';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, NONE } from '../../base/format.ts';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';
import { itemOf, type Row } from '../rows.ts';
import type { LiveSelection } from '../useLiveSelection.ts';
import { EndMission } from './EndMission.tsx';
import { isAskedFirst, type RecordStep, recordStep } from './record-step.ts';
import { RecordingContext } from './recording.ts';
import { switchOrder } from './switch-order.ts';
import { texts } from './texts.ts';
import { missionFailure, type Order, type PlatformControl } from './usePlatformControl.ts';

const DescribeDialog = laterDialog(async () => (await import('./DescribeDialog.tsx')).DescribeDialog);
const RecordDialog = laterDialog(async () => (await import('./RecordDialog.tsx')).RecordDialog);

type StopStep = Extract<RecordStep, { kind: 'stopPlatform' }>;
type Asked =
  | { kind: 'end'; step: StopStep }
  | { kind: 'describe'; platform: LivePlatform; missionId: string }
  | { kind: 'mission'; platform: LivePlatform; sensors: readonly string[]; rowId: string };

type Props = { selection: LiveSelection; control: PlatformControl; children: ReactNode };

/** Provides the actions of the record buttons inside it, together with their dialogs. */
export function RecordingProvider({ selection, control, children }: Props) {
  const { busyIds, send } = control;
  const { sensorIds } = selection;
  const [asked, setAsked] = useState<Asked | null>(null);
  // Loads the user groups early, since the dialog lists them as soon as it opens.
  useUsergroups();
  const close = () => setAsked(null);

  const press = useCallback(
    (row: Row) => {
      const step = recordStep(row, sensorIds);
      const rowId = itemOf(row)._id;
      if (step.kind === 'mission') {
        setAsked({ kind: 'mission', platform: step.platform, sensors: step.sensors, rowId });
      } else if (step.kind === 'stopPlatform' && isAskedFirst(step)) setAsked({ kind: 'end', step });
      else void send(orderOf(step));
    },
    [sensorIds, send],
  );
  const recordNow = useCallback(
    (row: Row) => {
      const step = recordStep(row, sensorIds);
      const rowId = itemOf(row)._id;
      if (busyIds.has(rowId)) return;
      if (step.kind === 'mission') void send(missionOrder(step, rowId));
      else if (step.kind === 'startSensor') void send({ ...orderOf(step), leads: true });
    },
    [sensorIds, busyIds, send],
  );
  const tryAgain = useCallback((row: Row) => void send(switchOrder(row, true)), [send]);
  const describe = useCallback(({ platform }: Row) => {
    if (platform.mission !== null) setAsked({ kind: 'describe', platform, missionId: platform.mission });
  }, []);
  const recording = useMemo(
    () => ({ press, recordNow, tryAgain, describe, busyIds }),
    [press, recordNow, tryAgain, describe, busyIds],
  );

  return (
    <RecordingContext value={recording}>
      {children}
      {asked?.kind === 'end' && (
        <EndMission
          platform={asked.step.platform}
          onCancel={close}
          onConfirm={() => {
            close();
            void send(orderOf(asked.step));
          }}
        />
      )}
      {asked?.kind === 'describe' && (
        <DescribeDialog platform={asked.platform} missionId={asked.missionId} onClose={close} />
      )}
      {asked?.kind === 'mission' && (
        <RecordDialog
          platform={asked.platform}
          sensors={asked.sensors}
          rowId={asked.rowId}
          send={send}
          onClose={close}
        />
      )}
    </RecordingContext>
  );
}

/** Name, label and audience are omitted, so that the server applies its own defaults when the recording begins. */
function missionOrder({ platform, sensors }: Extract<RecordStep, { kind: 'mission' }>, rowId: string): Order {
  const name = [platform.name, sensors.join(', ')].filter(Boolean).join(' ');
  return {
    command: 'start',
    platform,
    body: { sensors: [...sensors], record: true, autostart: false },
    rowId,
    done: ({ mission }) => fill(texts.now.begun, { name, mission: mission?.name ?? NONE }),
    leads: true,
    failed: missionFailure,
  };
}

function orderOf(step: Exclude<RecordStep, { kind: 'mission' }>): Order {
  const { platform } = step;
  const { done, errors } = texts;
  if (step.kind === 'stopPlatform') {
    return {
      command: 'stop',
      platform,
      body: { sensors: step.sensors, stopMission: step.ends },
      rowId: platform._id,
      done: fill(done.platformStopped, { name: platform.name }),
      failed: errors.stopPlatform,
    };
  }
  const { name, _id } = step.sensor;
  if (step.kind === 'stopSensor') {
    return {
      command: 'stop',
      platform,
      body: { sensors: step.sensors, stopMission: step.ends },
      rowId: _id,
      done: fill(done.sensorStopped, { name }),
      failed: errors.stopSensor,
    };
  }
  return {
    command: 'start',
    platform,
    body: { sensors: [name], record: true },
    rowId: _id,
    done: fill(done.sensorStarted, { name }),
    failed: errors.startSensor,
  };
}
