import {
  mdiAlertCircleOutline,
  mdiBackupRestore,
  mdiDatabaseOutline,
  mdiDeleteOutline,
  mdiShieldCheckOutline,
} from '@mdi/js';
import { Box } from '@mui/material';
import { type Backup, can } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { Action } from '../ui/Action.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { Sorting } from '../ui/table/data-table.ts';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { columns, sorted } from './columns.tsx';
import { DeleteBackup } from './DeleteBackup.tsx';
import { RestoreDialog } from './RestoreDialog.tsx';
import { texts } from './texts.ts';
import { useBackupOrders, useBackups } from './useBackups.ts';

const newestFirst: Sorting = { column: 'created', descending: true };
const ACTIONS_PX = 128;

type Props = {
  folder: string;
  /** Reason why the backup folder cannot be read; null if it can. */
  away: string | null;
  busy: boolean;
};

/** Table of all backups with their state, and the progress of running work. */
export function BackupsTable({ folder, away, busy }: Props) {
  const actor = useActor();
  const list = useBackups();
  const { verify } = useBackupOrders();
  const { choice, setWidth, toggle, reset } = useColumnChoice(storageKeys.backupColumns);
  const [sorting, setSorting] = useState(newestFirst);
  const [asking, setAsking] = useState<{ what: 'delete' | 'restore'; backup: Backup } | null>(null);
  const rows = sorted(list.data ?? [], sorting);
  const mayDelete = can(actor, 'backup.delete').allowed;
  const proved = rows.filter(({ verified }) => verified !== null);

  const rowActions = (backup: Backup) => (
    <>
      <Action
        label={fill(texts.actions.verify, { name: backup.name })}
        icon={mdiShieldCheckOutline}
        disabled={busy || backup.sizeBytes === null}
        onClick={() => void verify(backup.name)}
      />
      <Action
        label={fill(texts.actions.restore, { name: backup.name })}
        icon={mdiBackupRestore}
        disabled={backup.sizeBytes === null}
        onClick={() => setAsking({ what: 'restore', backup })}
      />
      <Action
        label={fill(texts.actions.delete, { name: backup.name })}
        hint={mayDelete ? undefined : texts.actions.noDelete}
        icon={mdiDeleteOutline}
        disabled={busy || !mayDelete}
        onClick={() => setAsking({ what: 'delete', backup })}
      />
    </>
  );

  return (
    <Box sx={{ position: 'relative', height: '100%', minHeight: 0 }}>
      <Box sx={{ position: 'absolute', right: 8, top: 0, zIndex: 3 }}>
        <ColumnsMenu columns={columns} hidden={choice.hidden} onToggle={toggle} onReset={reset} />
      </Box>
      <DataTable
        label={texts.table}
        columns={columns.filter(({ id }) => !choice.hidden.includes(id))}
        rows={rows}
        traits={({ name }) => ({ id: name, name, level: 1 })}
        sorting={sorting}
        onSort={(column) =>
          setSorting((before) => ({ column, descending: before.column === column ? !before.descending : true }))
        }
        choice={choice}
        onWidth={setWidth}
        onOpen={(backup) => backup.sizeBytes !== null && setAsking({ what: 'restore', backup })}
        onToggle={() => undefined}
        actions={{ width: ACTIONS_PX, of: rowActions }}
        total={rows.length}
        loading={list.isPending}
      >
        {list.data?.length === 0 && away !== null && (
          <Notice failed icon={mdiAlertCircleOutline} title={texts.away} text={away} />
        )}
        {list.data?.length === 0 && away === null && (
          <Notice icon={mdiDatabaseOutline} title={texts.empty.title} text={texts.empty.text} />
        )}
        {list.isError && rows.length === 0 && (
          <FailedNotice title={texts.failed} error={list.error} onRetry={list.refetch} />
        )}
      </DataTable>
      {asking?.what === 'restore' && (
        <RestoreDialog backup={asking.backup} folder={folder} onClose={() => setAsking(null)} />
      )}
      {asking?.what === 'delete' && (
        <DeleteBackup
          backup={asking.backup}
          isLast={proved.length === 1 && proved[0]?.name === asking.backup.name}
          onClose={() => setAsking(null)}
        />
      )}
    </Box>
  );
}
