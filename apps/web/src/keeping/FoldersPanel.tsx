import { mdiFolderEyeOutline, mdiFormatListBulleted, mdiPencilOutline, mdiPlus, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, Link, Typography } from '@mui/material';
import {
  deleteWatchFolder,
  type IntakeFile,
  importList,
  intakeReport,
  listWatchFolders,
  type WatchFolder,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../api/api.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill, formatSize, formatTime } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { HIGHEST_LABEL } from '../ui/fields/sharing.ts';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { FolderDialog } from './FolderDialog.tsx';
import { PlainTable } from './PlainTable.tsx';
import { texts } from './texts.ts';

const words = texts.folders;
const POLL_MS = 5000;
type Editing = { kind: 'edit'; folder: WatchFolder | null } | { kind: 'remove'; folder: WatchFolder };

/**
 * Panel with the watched folders: folders of the server whose recordings become missions, mission lists, and the
 * outcome for each of their files.
 */
export function FoldersPanel() {
  const api = useApi();
  const queries = useQueryClient();
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const [editing, setEditing] = useState<Editing | null>(null);
  const listFor = useRef<WatchFolder | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const query = useQuery({
    queryKey: ['intake', 'folders'],
    queryFn: ({ signal }) => api.call(listWatchFolders, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const folders = query.data?.folders ?? [];
  const roots = query.data?.roots ?? [];
  const groupNames = (ids: readonly string[]) =>
    groups.flatMap(({ _id, name }) => (ids.includes(_id) ? [name] : [])).join(', ') || texts.bin.nobody;

  function stateOf({ problem, enabled, fromConfiguration }: WatchFolder): string {
    if (problem !== null) return problem;
    if (!enabled) return words.off;
    return fromConfiguration ? `${words.watching} (${words.configured})` : words.watching;
  }

  async function sendList(folder: WatchFolder, file: File) {
    const format = file.name.toLowerCase().endsWith('.json') ? 'json' : 'csv';
    try {
      const body = { format, text: await file.text() } as const;
      const { message } = await api.call(importList, { params: { id: folder._id }, body });
      show(message);
    } catch (error) {
      show(fill(words.listFailed, { text: errorText(error) }), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['intake'] });
  }

  return (
    <Box sx={{ overflow: 'auto' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, py: 3 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 800, overflowWrap: 'anywhere' }}>
          {words.lead} {roots.length > 0 && fill(words.roots, { roots: roots.join(', ') })}
        </Typography>
        <Button
          variant="contained"
          color="primary"
          startIcon={<Icon path={mdiPlus} />}
          aria-label={words.addLabel}
          onClick={() => setEditing({ kind: 'edit', folder: null })}
          sx={{ ml: 'auto', flex: 'none' }}
        >
          {words.add}
        </Button>
      </Box>
      {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && folders.length === 0 && (
        <Notice icon={mdiFolderEyeOutline} title={words.none} text={words.noneText} />
      )}
      {folders.length > 0 && (
        <PlainTable
          label={texts.tabs.folders}
          head={Object.values(words.columns)}
          rows={folders}
          idOf={({ _id }) => _id}
          cells={(folder) => [
            folder.path,
            folder.securityClassification === null ? (
              words.unmarked
            ) : (
              <LabelMark key="label" label={folder.securityClassification} />
            ),
            folder.audience === 'everyone' ? texts.bin.everyone : groupNames(folder.usergroups),
            folder.platform.name,
            stateOf(folder),
          ]}
          actions={(folder) => (
            <>
              <Action
                label={fill(words.list, { path: folder.path })}
                icon={mdiFormatListBulleted}
                onClick={() => {
                  listFor.current = folder;
                  input.current?.click();
                }}
              />
              <Action
                label={fill(words.edit, { path: folder.path })}
                icon={mdiPencilOutline}
                disabled={folder.fromConfiguration}
                onClick={() => setEditing({ kind: 'edit', folder })}
              />
              <Action
                label={fill(words.remove, { path: folder.path })}
                icon={mdiTrashCanOutline}
                disabled={folder.fromConfiguration}
                onClick={() => setEditing({ kind: 'remove', folder })}
              />
            </>
          )}
        />
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.json"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file && listFor.current) void sendList(listFor.current, file);
          event.target.value = '';
        }}
      />
      <Report />
      {editing?.kind === 'edit' && (
        <FolderDialog folder={editing.folder} root={roots[0] ?? ''} onClose={() => setEditing(null)} />
      )}
      {editing?.kind === 'remove' && <RemoveFolder folder={editing.folder} onClose={() => setEditing(null)} />}
    </Box>
  );
}

function RemoveFolder({ folder, onClose }: { folder: WatchFolder; onClose: () => void }) {
  const api = useApi();
  const { securityClassification: label } = folder;
  const { busy, confirm } = useDelete({
    queryKey: ['intake'],
    async remove() {
      await api.call(deleteWatchFolder, { params: { id: folder._id } });
      return { said: words.removed };
    },
    failed: (text) => text,
    onClose,
  });
  return (
    <ConfirmDialog
      title={fill(words.removeTitle, { path: folder.path })}
      mark={<ShownMark label={label ?? HIGHEST_LABEL} marked={label !== null} />}
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

function Report() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['intake', 'files'],
    queryFn: ({ signal }) => api.call(intakeReport, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const outcomeOf = ({ outcome, reason }: IntakeFile) =>
    reason === null ? words.outcomes[outcome] : `${words.outcomes[outcome]}: ${reason}`;
  return (
    <Box component="section" aria-label={words.report} sx={{ mt: 4 }}>
      <Typography variant="h3" component="h2" sx={{ px: 4, py: 2 }}>
        {words.report}
      </Typography>
      {data?.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', px: 4 }}>
          {words.reportNone}
        </Typography>
      )}
      {data !== undefined && data.length > 0 && (
        <PlainTable
          label={words.report}
          head={Object.values(words.reportColumns)}
          rows={data}
          idOf={({ _id }) => _id}
          cells={(file) => [
            formatTime(file.time),
            <Box key="name" component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}>
              <ShownMark label={file.securityClassification} marked={file.marked} />
              {file.name}
            </Box>,
            formatSize(file.sizeBytes),
            outcomeOf(file),
            file.mission && (
              <Link key="mission" component={RouterLink} to={`/missions?mission=${file.mission._id}`}>
                {file.mission.name}
              </Link>
            ),
          ]}
        />
      )}
    </Box>
  );
}
