import {
  AppError,
  classificationRank,
  type Mission,
  recordingMissionName,
  renameMission,
  updateMission,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill } from '../../base/format.ts';
import { factsOf } from '../../base/mission-rights.ts';
import { errorText } from '../../base/transport-error.ts';
import { audienceOf, isWidened, labelsFor, managedShareText } from '../../ui/fields/sharing.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import type { RecordForm } from './mission-form.ts';
import { brokenName, RecordFormDialog } from './RecordFormDialog.tsx';
import { texts } from './texts.ts';

const words = texts.describe;

const formOf = (mission: Mission): RecordForm => ({
  name: mission.name,
  description: mission.description,
  label: mission.securityClassification,
  everyone: mission.audience === 'everyone',
  usergroups: [...mission.usergroups],
  tags: [...mission.tags],
});

/** Whether the mission still has its automatic name, made from platform and time. */
const isUnnamed = ({ name, platform, recordingStartTime }: Mission): boolean =>
  recordingStartTime !== null && name === recordingMissionName(platform.name, recordingStartTime);

/** Form that sends what was changed, the name last, so that the rest is saved even if the name is refused. */
export function DescribeForm({ title, first, onClose }: { title: string; first: Mission; onClose: () => void }) {
  const api = useApi();
  const actor = useActor();
  const groups = useUsergroups();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  /** The mission as stored on the server, so that saved values are not sent again. */
  const [saved, setSaved] = useState(first);
  const [form, setForm] = useState(() => formOf(first));
  const [refusedName, setRefusedName] = useState<{ name: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const before = formOf(saved);
  const isDirty = JSON.stringify(form) !== JSON.stringify(before);
  const nameProblem = refusedName?.name === form.name ? refusedName.text : brokenName(form.name);
  const sharesAsBefore = form.label === before.label && form.everyone === before.everyone && isSame(form, before);
  const shareProblem = sharesAsBefore
    ? null
    : isWidened(factsOf(saved), form, groups)
      ? words.widened
      : managedShareText(actor, form, groups);
  const isWrong = nameProblem !== undefined || shareProblem !== null;

  async function save() {
    if (isWrong || busy) return;
    if (!isDirty) return onClose();
    setBusy(true);
    try {
      let now = saved;
      const { name } = form;
      if (JSON.stringify({ ...form, name: '' }) !== JSON.stringify({ ...before, name: '' })) {
        const sharing = { ...audienceOf(form, groups), securityClassification: form.label };
        const fields = { description: form.description, tags: form.tags, ...(!sharesAsBefore && sharing) };
        const body = { _id: saved._id, name: saved.name, revision: saved.revision, ...fields };
        now = await api.call(updateMission, { body });
        setSaved(now);
      }
      if (name !== saved.name) {
        now = await api.call(renameMission, { params: { mission: saved._id }, body: { name, revision: now.revision } });
      }
      show(fill(words.done, { name: now.name }));
      onClose();
    } catch (error) {
      if (error instanceof AppError && error.code === 'missionNameTaken') {
        setRefusedName({ name: form.name, text: error.message });
      } else show(fill(words.failed, { name: saved.name, text: errorText(error) }), 'error');
      setBusy(false);
    }
    void queries.invalidateQueries({ queryKey: ['missions'] });
    void queries.invalidateQueries({ queryKey: ['platforms', 'list'] });
  }

  return (
    <RecordFormDialog
      title={title}
      lead={words.lead}
      submit={words.submit}
      marked={saved.marked}
      dirty={isDirty}
      busy={busy}
      onSubmit={() => void save()}
      onClose={onClose}
      form={form}
      onChange={(part) => setForm((now) => ({ ...now, ...part }))}
      nameProblem={nameProblem}
      nameFixed={isUnnamed(saved) ? undefined : words.nameFixed}
      labels={labelsFor(actor).filter(
        (label) => classificationRank(label) >= classificationRank(first.securityClassification),
      )}
      shareProblem={shareProblem}
    />
  );
}

const isSame = (form: RecordForm, before: RecordForm): boolean =>
  form.everyone || [...form.usergroups].sort().join() === [...before.usergroups].sort().join();
