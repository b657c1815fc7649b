import { Box, Button, Typography } from '@mui/material';
import { DESCRIPTION_MAX, isAdmin, type LivePlatform, missionName } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../../api/session.ts';
import { useMissionNameTaken } from '../../api/useMissionNameTaken.ts';
import { useTags } from '../../api/useTags.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill } from '../../base/format.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { groupsFor, labelsFor, managedShareText } from '../../ui/fields/sharing.ts';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { isReachable, type RecordForm, recordBody, recordForm } from './mission-form.ts';
import { texts } from './texts.ts';
import { missionFailure, type PlatformControl } from './usePlatformControl.ts';

type Props = {
  platform: LivePlatform;
  /** By name; empty: all of the platform. */
  sensors: readonly string[];
  /** Id of the row that waits meanwhile. */
  rowId: string;
  send: PlatformControl['send'];
  onClose: () => void;
};

const words = texts.mission;
const { fields } = words;

/** Asks what the mission is called and who may see it, then begins to record. */
export function RecordDialog({ platform, sensors, rowId, send, onClose }: Props) {
  const actor = useActor();
  const groups = useUsergroups();
  const tags = useTags();
  const [first] = useState(() => recordForm(platform, Date.now() * 1000));
  const [form, setForm] = useState(first);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<RecordForm>) => setForm((before) => ({ ...before, ...part }));

  const taken = useMissionNameTaken(form.name, true);
  const nameProblem = taken ? fill(words.nameTaken, { name: form.name }) : brokenRule(form.name);
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
    <FormDialog
      title={fill(words.title, { name: platform.name })}
      mark={<LabelMark label={form.label} />}
      width={640}
      dirty={form !== first && JSON.stringify(form) !== JSON.stringify(first)}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" variant="contained" color="primary" disabled={isWrong || busy}>
            {words.submit}
          </Button>
        </>
      }
    >
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 4 }}>
        {fill(words.lead, { sensors: sensors.length === 0 ? words.all : sensors.join(', ') })}
      </Typography>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4, alignItems: 'start' }}>
        <Field
          autoFocus
          required
          label={fields.name}
          value={form.name}
          problem={nameProblem}
          onChange={(event) => change({ name: event.target.value })}
          sx={{ gridColumn: { sm: '1 / -1' } }}
        />
        <Field
          label={fields.description}
          multiline
          minRows={2}
          maxRows={6}
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
          slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
          sx={{ gridColumn: { sm: '1 / -1' } }}
        />
        <LabelField
          label={fields.label}
          value={form.label}
          labels={labelsFor(actor).filter((label) => isReachable(label, platform))}
          onChange={(label) => change({ label })}
        />
        <GroupPicker
          groups={groupsFor(actor, groups)}
          label={form.label}
          value={form}
          onChange={change}
          mayEveryone={isAdmin(actor)}
          demoFixed={false}
          problem={shareProblem ?? undefined}
        />
        <Box sx={{ gridColumn: { sm: '1 / -1' } }}>
          <TagsField
            label={fields.tags}
            help={words.tagsHelp}
            known={tags}
            value={form.tags}
            onChange={(picked) => change({ tags: picked })}
          />
        </Box>
      </Box>
    </FormDialog>
  );
}

/** The schema's own sentence for a bad name. */
const brokenRule = (name: string): string | undefined => missionName.safeParse(name).error?.issues[0]?.message;
