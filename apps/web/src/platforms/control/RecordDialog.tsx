import type { LivePlatform } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../../api/session.ts';
import { useMissionNameTaken } from '../../api/useMissionNameTaken.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill } from '../../base/format.ts';
import { labelsFor, managedShareText } from '../../ui/fields/sharing.ts';
import { isReachable, type RecordForm, recordBody, recordForm } from './mission-form.ts';
import { brokenName, RecordFormDialog } from './RecordFormDialog.tsx';
import { texts } from './texts.ts';
import { missionFailure, type PlatformControl } from './usePlatformControl.ts';

type Props = {
  platform: LivePlatform;
  /** Names of the sensors to record; empty for all sensors of the platform. */
  sensors: readonly string[];
  /** Id of the table row that is shown as busy during the request. */
  rowId: string;
  send: PlatformControl['send'];
  onClose: () => void;
};

const words = texts.mission;

/** Dialog that asks for the mission's name and audience, then starts recording. */
export function RecordDialog({ platform, sensors, rowId, send, onClose }: Props) {
  const actor = useActor();
  const groups = useUsergroups();
  const [first] = useState(() => recordForm(platform, Date.now() * 1000));
  const [form, setForm] = useState(first);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<RecordForm>) => setForm((before) => ({ ...before, ...part }));

  const taken = useMissionNameTaken(form.name, true);
  const nameProblem = taken ? fill(words.nameTaken, { name: form.name }) : brokenName(form.name);
  const { usergroups, ...sharing } = recordBody(platform, form, sensors);
  const changesSharing = usergroups !== undefined || sharing.securityClassification !== undefined;
  const shareProblem = changesSharing && groups.length > 0 ? managedShareText(actor, form, groups) : null;
  const isWrong = nameProblem !== undefined || shareProblem !== null;

  async function submit() {
    if (isWrong || busy) return;
    setBusy(true);
    const done = await send({
      command: 'start',
      platform,
      body: recordBody(platform, form, sensors),
      rowId,
      done: fill(texts.done.missionAdded, { name: form.name }),
      failed: missionFailure,
    });
    setBusy(false);
    if (done) onClose();
  }

  return (
    <RecordFormDialog
      title={fill(words.title, { name: platform.name })}
      lead={fill(words.lead, { sensors: sensors.length === 0 ? words.all : sensors.join(', ') })}
      submit={words.submit}
      dirty={form !== first && JSON.stringify(form) !== JSON.stringify(first)}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
      form={form}
      onChange={change}
      nameProblem={nameProblem}
      labels={labelsFor(actor).filter((label) => isReachable(label, platform))}
      shareProblem={shareProblem}
    />
  );
}
