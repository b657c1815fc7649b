import { mdiClose, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import { classificationRank, DEMO_GROUP, type Usergroup, updateUsergroup } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { useHoldTyped } from '../ui/dialog/typed.ts';
import { Hint } from '../ui/Hint.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { DetailPanel } from '../ui/table/DetailPanel.tsx';
import { type GroupDraft, GroupFields, nameProblemOf } from './GroupFields.tsx';
import { Members } from './Members.tsx';
import { texts } from './texts.ts';

type Props = { group: Usergroup; onClose: () => void; onRemove: () => void };

const words = texts.detail;
const fields = ['name', 'description', 'securityClassification', 'liveModes'] as const;

function differing(group: Usergroup, typed: Partial<GroupDraft>): Partial<GroupDraft> {
  const differs = (field: (typeof fields)[number]) => field in typed && String(typed[field]) !== String(group[field]);
  return Object.fromEntries(fields.filter(differs).map((field) => [field, typed[field]]));
}

/** Panel of one group next to the table: its ceiling, its modes of live video, and its members. */
export function GroupDetail({ group, onClose, onRemove }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [typed, setTyped] = useState<Partial<GroupDraft>>({});
  const [busy, setBusy] = useState(false);
  const changes = differing(group, typed);
  const draft = { ...group, ...typed };
  const fixed = group.name === DEMO_GROUP;
  const problem = nameProblemOf(draft.name);
  const dirty = Object.keys(changes).length > 0;
  useHoldTyped(dirty, 'group');
  const lowers =
    changes.securityClassification !== undefined &&
    classificationRank(changes.securityClassification) < classificationRank(group.securityClassification);

  async function save() {
    setBusy(true);
    try {
      const updated = await api.call(updateUsergroup, {
        params: { id: group._id },
        query: { ...changes, ...(changes.name !== undefined && { name: changes.name.trim() }) },
      });
      show(fill(texts.done.update, { name: updated.name }));
      await queries.invalidateQueries({ queryKey: ['usergroups'] });
      // Input is cleared only after the group was loaded again, so that no old values appear for a moment.
      setTyped((now) => (now === typed ? {} : now));
    } catch (error) {
      show(fill(texts.failedUpdate, { name: group.name, text: errorText(error) }), 'error');
      await queries.invalidateQueries({ queryKey: ['usergroups'] });
    }
    setBusy(false);
  }

  return (
    <DetailPanel
      label={fill(words.label, { name: group.name })}
      width={440}
      onEscape={onClose}
      head={
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Typography variant="h2" sx={{ flex: 1, overflowWrap: 'anywhere' }}>
            {group.name}
          </Typography>
          <Action label={words.close} icon={mdiClose} onClick={onClose} />
        </Box>
      }
      foot={
        fixed ? null : (
          <>
            <Button variant="text" color="error" startIcon={<Icon path={mdiTrashCanOutline} />} onClick={onRemove}>
              {words.remove}
            </Button>
            <Box sx={{ flex: 1 }} />
            <Button disabled={!dirty} onClick={() => setTyped({})}>
              {words.discard}
            </Button>
            <Button
              variant="contained"
              color="primary"
              disabled={!dirty || busy || problem !== undefined}
              onClick={() => void save()}
            >
              {words.save}
            </Button>
          </>
        )
      }
    >
      {fixed && <Hint>{words.demo}</Hint>}
      <GroupFields
        draft={draft}
        onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
        disabled={fixed}
        nameProblem={problem}
      />
      {lowers && <Hint>{fill(words.lowered, { label: draft.securityClassification })}</Hint>}
      <Members group={group} />
    </DetailPanel>
  );
}
