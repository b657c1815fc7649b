import { mdiCalendarClockOutline, mdiPencilOutline, mdiPlus, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import { deleteRetentionRule, listRetentionRules, type RetentionRule } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill, formatNumber } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { Icon } from '../ui/Icon.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { Forecast } from './Forecast.tsx';
import { PlainTable } from './PlainTable.tsx';
import { RuleDialog } from './RuleDialog.tsx';
import { StoredCheck } from './StoredCheck.tsx';
import { texts } from './texts.ts';

const words = texts.retention;
const POLL_MS = 5000;
type Editing = { kind: 'edit'; rule: RetentionRule | null } | { kind: 'remove'; rule: RetentionRule };

/** Panel with the forecast of the disk use, and the rules that keep the disk from filling up. */
export function RetentionPanel() {
  const api = useApi();
  const groups = useUsergroups();
  const [editing, setEditing] = useState<Editing | null>(null);
  const query = useQuery({
    queryKey: ['retention', 'rules'],
    queryFn: ({ signal }) => api.call(listRetentionRules, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const rules = query.data ?? [];
  const groupOf = ({ usergroup }: RetentionRule) =>
    usergroup === null ? words.any : (groups.find(({ _id }) => _id === usergroup)?.name ?? '');
  const nameOf = (rule: RetentionRule) => `${groupOf(rule)} / ${rule.platform ?? words.any}`;

  return (
    <Box sx={{ overflow: 'auto' }}>
      <Box sx={{ borderBottom: 1, borderColor: 'divider' }}>
        <Forecast />
      </Box>
      <Box sx={{ borderBottom: 1, borderColor: 'divider' }}>
        <StoredCheck />
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', px: 4, pt: 3 }}>
        <Typography variant="h3" component="h2">
          {words.rules}
        </Typography>
        <Button
          variant="contained"
          color="primary"
          startIcon={<Icon path={mdiPlus} />}
          aria-label={words.addLabel}
          onClick={() => setEditing({ kind: 'edit', rule: null })}
          sx={{ ml: 'auto' }}
        >
          {words.add}
        </Button>
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', px: 4, py: 2, maxWidth: 800 }}>
        {words.lead}
      </Typography>
      {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && rules.length === 0 && (
        <Notice icon={mdiCalendarClockOutline} title={words.none} text={words.noneText} />
      )}
      {rules.length > 0 && (
        <PlainTable
          label={words.rules}
          head={[
            words.columns.usergroup,
            words.columns.platform,
            words.columns.days,
            words.columns.due,
            words.columns.by,
          ]}
          rows={rules}
          idOf={({ _id }) => _id}
          cells={(rule) => [
            groupOf(rule),
            rule.platform ?? words.any,
            formatNumber(rule.days),
            formatNumber(rule.due),
            rule.by ?? words.resting,
          ]}
          actions={(rule) => (
            <>
              <Action
                label={fill(words.edit, { name: nameOf(rule) })}
                icon={mdiPencilOutline}
                onClick={() => setEditing({ kind: 'edit', rule })}
              />
              <Action
                label={fill(words.remove, { name: nameOf(rule) })}
                icon={mdiTrashCanOutline}
                onClick={() => setEditing({ kind: 'remove', rule })}
              />
            </>
          )}
        />
      )}
      {editing?.kind === 'edit' && <RuleDialog rule={editing.rule} onClose={() => setEditing(null)} />}
      {editing?.kind === 'remove' && (
        <RemoveRule rule={editing.rule} name={nameOf(editing.rule)} onClose={() => setEditing(null)} />
      )}
    </Box>
  );
}

type RemoveProps = { rule: RetentionRule; name: string; onClose: () => void };

function RemoveRule({ rule, name, onClose }: RemoveProps) {
  const api = useApi();
  const { busy, confirm } = useDelete({
    queryKey: ['retention'],
    async remove() {
      await api.call(deleteRetentionRule, { params: { id: rule._id } });
      return { said: words.removed };
    },
    failed: (text) => text,
    onClose,
  });
  return (
    <ConfirmDialog
      title={fill(words.removeTitle, { name })}
      confirmText={words.removeConfirm}
      danger
      busy={busy}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {words.removeText}
    </ConfirmDialog>
  );
}
