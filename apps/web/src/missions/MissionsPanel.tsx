import { mdiFilterOffOutline, mdiPlayBoxMultipleOutline, mdiPlus, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import { can, hasAdminRole, type Mission, missionUpdateEvent, type Sensor } from '@osprey/contract';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { readStored, storageKeys, writeStored } from '../base/keys.ts';
import { factsOf } from '../base/mission-rights.ts';
import { useEvents, useServerEvent } from '../events/events.ts';
import { useEditing } from '../events/useEditing.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { later } from '../ui/later.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useShare } from '../ui/share/useShare.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { useIdle } from '../ui/useIdle.ts';
import type { Accepted } from './add/AddByDrop.tsx';
import { hiddenAtFirst, ROOMY } from './columns.tsx';
import { FilterBar } from './FilterBar.tsx';
import { activeFilters, type Filter, noFilter, type SortKey, without } from './filter.ts';
import { MissionsTable, type RowActions } from './MissionsTable.tsx';
import { MissionsToolbar } from './MissionsToolbar.tsx';
import { MoreMenu } from './MoreMenu.tsx';
import { takeProgress } from './progress.ts';
import { linkTo } from './share.ts';
import { texts } from './texts.ts';
import { useMissionCount, useMissions } from './useMissions.ts';

const AddByDrop = later(async () => (await import('./add/AddByDrop.tsx')).AddByDrop, { optional: true });
const DeleteMissions = laterDialog(async () => (await import('./DeleteMissions.tsx')).DeleteMissions);
const ExportMenu = later(async () => (await import('./exports/ExportMenu.tsx')).ExportMenu);
const HoldDialog = laterDialog(async () => (await import('./exports/HoldDialog.tsx')).HoldDialog);
const MissionDialog = laterDialog(async () => (await import('./dialog/MissionDialog.tsx')).MissionDialog);
const ProposalDialog = laterDialog(async () => (await import('./add/ProposalDialog.tsx')).ProposalDialog);
const RemoveSamples = laterDialog(async () => (await import('./RemoveSamples.tsx')).RemoveSamples);
const RenameDialog = laterDialog(async () => (await import('./rename/RenameDialog.tsx')).RenameDialog);
const ShiftDialog = laterDialog(async () => (await import('./sensor/ShiftDialog.tsx')).ShiftDialog);
const SingleActions = later(async () => (await import('./SingleActions.tsx')).SingleActions);

type Props = {
  /** Tabs at the left end of the toolbar. */
  tabs: ReactNode;
  panel: TabPanelProps;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  sort: SortKey;
  onSort: (sort: SortKey) => void;
  /** The open mission and sensor; `link` returns the address that restores them. */
  open: { mission: Mission | null; sensorId: string | null; link: () => string };
  onOpen: (mission: Mission, sensor: Sensor | null) => void;
  onClosed: (ids: readonly string[]) => void;
  /** Set on the admin page: admin mode is always on, and its switch is hidden. */
  alwaysAdmin?: boolean;
  /** Called with the listed missions once they are known, for the map above. */
  onListed: (missions: readonly Mission[], total: number | null) => void;
};

type Editing =
  | { kind: 'create' }
  | { kind: 'propose'; accepted: Accepted }
  | { kind: 'edit' | 'hold' | 'rename'; rows: readonly [Mission] }
  | { kind: 'delete'; rows: readonly Mission[] }
  | { kind: 'samples' }
  | { kind: 'shift'; rows: readonly [Mission]; sensor: Sensor };

const none: readonly string[] = [];

/** Panel of the VOD tab, with the toolbar, the filters, the table and the actions on its rows. */
export function MissionsPanel(props: Props) {
  const { tabs, panel, filter, onFilter, sort, onSort, open, onOpen, onClosed, onListed, alwaysAdmin = false } = props;
  const actor = useActor();
  const { offlineSince } = useEvents();
  const { alert } = useAlert();
  const { show } = useSnackbar();
  const listed = useMissions(filter, sort);
  const filtered = activeFilters(filter).length > 0;
  const all = useMissionCount(filtered);
  const roomy = useMediaQuery(ROOMY);
  const columns = useColumnChoice(storageKeys.missionColumns, roomy ? undefined : hiddenAtFirst);
  const selection = useSelection(listed.rows);
  const [remembered, setAdminMode] = useAdminMode(hasAdminRole(actor));
  const adminMode = alwaysAdmin || remembered;
  const [editing, setEditing] = useEditing<Editing>('missions', () => show(texts.edit.gone, 'error'));
  /** New missions that nobody opened yet. */
  const [fresh, setFresh] = useState<readonly string[]>(none);
  const mayAdd = can(actor, 'mission.createAny').allowed;
  const { share: shareLink, popover } = useShare();
  const { rows: missions, total } = listed;
  useServerEvent(missionUpdateEvent, takeProgress);
  const known = missions.length > 0 || !listed.loading;
  useEffect(() => {
    if (known) onListed(missions, total);
  }, [known, missions, total, onListed]);

  const idle = useIdle(known);

  const chosen = selection.chosen[0] ?? open.mission;
  const exportable = selection.chosen.length > 0 ? selection.chosen : open.mission ? [open.mission] : [];
  const [single] = selection.chosen.length === 1 ? selection.chosen : [];

  const actions = useMemo(
    (): RowActions => ({
      onOpen(mission, sensor) {
        setFresh((before) => (before.includes(mission._id) ? before.filter((id) => id !== mission._id) : before));
        onOpen(mission, sensor);
      },
      onShare: (mission, sensor) => shareLink(linkTo(mission, sensor)),
      onEdit: (mission) => setEditing({ kind: 'edit', rows: [mission] }),
      onShift: (mission, sensor) => setEditing({ kind: 'shift', rows: [mission], sensor }),
      onDelete: (rows) => setEditing({ kind: 'delete', rows }),
    }),
    [onOpen, shareLink, setEditing],
  );

  /**
   * Opens a dialog that creates missions, unless the server is offline. Before the first connection, no warning is
   * shown.
   */
  function create(next: Editing) {
    if (offlineSince !== null) return alert(texts.offline.title, texts.offline.text);
    // Turns admin mode on, so that the new mission can be changed immediately.
    if (!adminMode) setAdminMode(true);
    setEditing(next);
  }
  const add = () => create({ kind: 'create' });

  function edit() {
    if (chosen) setEditing({ kind: 'edit', rows: [chosen] });
    else show(texts.edit.none, 'warning');
  }

  function share() {
    if (!chosen) show(texts.share.none, 'warning');
    else shareLink(chosen._id === open.mission?._id ? open.link() : linkTo(chosen));
  }

  return (
    <Box
      component="section"
      {...panel}
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        height: '100%',
        minHeight: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        overflow: 'hidden',
        bgcolor: 'surface.panel',
      }}
    >
      <MissionsToolbar
        tabs={tabs}
        search={filter.search}
        onSearch={(search) => onFilter({ ...filter, search })}
        columns={columns}
        adminMode={hasAdminRole(actor) ? adminMode : null}
        adminFixed={alwaysAdmin}
        onAdminMode={(on) => {
          setAdminMode(on);
          selection.clear();
        }}
        onAdd={add}
        onEdit={edit}
        onShare={share}
        adminActions={
          <>
            <ExportMenu look="icon" missions={exportable} />
            <MoreMenu missions={missions} onRemoveSamples={() => setEditing({ kind: 'samples' })} />
          </>
        }
      />
      <FilterBar filter={filter} onChange={onFilter} count={total} all={all} />
      <Box sx={{ flex: 1, minHeight: 0, opacity: listed.stale || offlineSince !== null ? 0.6 : 1 }}>
        <MissionsTable
          actor={actor}
          missions={missions}
          total={total}
          loading={listed.loading}
          onVisible={listed.onVisible}
          sort={sort}
          onSort={onSort}
          columns={columns}
          selection={adminMode ? selection : null}
          openIds={{ mission: open.mission?._id ?? null, sensor: open.sensorId }}
          fresh={fresh}
          actions={actions}
        >
          <InPlaceOfRows {...{ listed, filter, onFilter, adminMode }} onAdd={mayAdd ? add : null} />
        </MissionsTable>
      </Box>
      {adminMode && selection.chosen.length > 0 && (
        <BulkBar count={selection.chosen.length} onClear={selection.clear}>
          <ExportMenu look="button" missions={selection.chosen} />
          {single && (
            <SingleActions
              mission={single}
              onRename={() => setEditing({ kind: 'rename', rows: [single] })}
              onHold={() => setEditing({ kind: 'hold', rows: [single] })}
            />
          )}
          <Button
            variant="text"
            color="error"
            startIcon={<Icon path={mdiTrashCanOutline} />}
            disabled={!selection.chosen.every((mission) => can(actor, 'mission.delete', factsOf(mission)).allowed)}
            onClick={() => setEditing({ kind: 'delete', rows: selection.chosen })}
          >
            {texts.bulk.remove}
          </Button>
        </BulkBar>
      )}
      {editing?.kind === 'delete' && (
        <DeleteMissions missions={editing.rows} onClose={() => setEditing(null)} onDeleted={onClosed} />
      )}
      {editing?.kind === 'samples' && <RemoveSamples onClose={() => setEditing(null)} onRemoved={onClosed} />}
      {editing?.kind === 'shift' && (
        <ShiftDialog mission={editing.rows[0]} sensor={editing.sensor} onClose={() => setEditing(null)} />
      )}
      {editing?.kind === 'rename' && <RenameDialog mission={editing.rows[0]} onClose={() => setEditing(null)} />}
      {editing?.kind === 'hold' && <HoldDialog mission={editing.rows[0]} onClose={() => setEditing(null)} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <MissionDialog
          mission={editing.kind === 'edit' ? editing.rows[0] : null}
          onCreated={({ _id }) => setFresh([_id])}
          onOpen={(created) => onOpen(created, null)}
          onClose={() => setEditing(null)}
        />
      )}
      {editing?.kind === 'propose' && (
        <ProposalDialog
          accepted={editing.accepted}
          onCreated={(created) => setFresh(created.map(({ _id }) => _id))}
          onOpen={(created) => onOpen(created, null)}
          onClose={() => setEditing(null)}
        />
      )}
      {idle && mayAdd && <AddByDrop onAccepted={(accepted) => create({ kind: 'propose', accepted })} />}
      {popover}
    </Box>
  );
}

/** Stores whether admin mode is on; it is always off for roles without admin mode. */
function useAdminMode(allowed: boolean) {
  const [on, setOn] = useState(() => readStored(storageKeys.missionsAdminMode) === 'true');
  function change(next: boolean) {
    setOn(next);
    writeStored(storageKeys.missionsAdminMode, String(next));
  }
  return [allowed && on, change] as const;
}

type InPlaceProps = {
  listed: ReturnType<typeof useMissions>;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  /** Called to add a mission; null: the role may not add any. */
  onAdd: (() => void) | null;
  /** True if the toolbar has an "Add mission" button already. */
  adminMode: boolean;
};

/**
 * Shown in place of rows if the list failed to load, is empty, or is empty because of the filters. Renders nothing if
 * there are rows and no error.
 */
function InPlaceOfRows({ listed, filter, onFilter, onAdd, adminMode }: InPlaceProps) {
  const { rows: missions, error, loading, refetch } = listed;
  const active = activeFilters(filter);
  if (error !== null) {
    const staleHint = missions.length > 0 ? texts.failed.staleHint : null;
    return <FailedNotice title={texts.failed.title} error={error} staleHint={staleHint} onRetry={refetch} />;
  }
  if (loading || missions.length > 0) return null;
  if (active.length > 0) {
    return (
      <Notice icon={mdiFilterOffOutline} title={texts.filteredEmpty.title} text={texts.filteredEmpty.text}>
        {active.length > 1 &&
          active.map((name) => (
            <Button key={name} onClick={() => onFilter(without(filter, name))}>
              {fill(texts.filteredEmpty.clear, { filter: texts.filters[name].toLowerCase() })}
            </Button>
          ))}
        <Button onClick={() => onFilter(noFilter)}>{texts.filteredEmpty.clearAll}</Button>
      </Notice>
    );
  }
  return (
    <Notice
      icon={mdiPlayBoxMultipleOutline}
      title={texts.empty.title}
      text={onAdd ? texts.empty.admin : texts.empty.user}
    >
      {onAdd && (
        <Button variant="contained" color="primary" startIcon={<Icon path={mdiPlus} />} onClick={onAdd}>
          {adminMode ? texts.toolbar.add : texts.toolbar.addLabel}
        </Button>
      )}
    </Notice>
  );
}
