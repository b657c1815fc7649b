import {
  mdiDownload,
  mdiMapSearchOutline,
  mdiMovieOpenPlayOutline,
  mdiPencilOutline,
  mdiTrashCanOutline,
  mdiVectorPolygon,
} from '@mdi/js';
import { Button, Menu, MenuItem, ToggleButton, ToggleButtonGroup, Tooltip } from '@mui/material';
import { type AnnotationRow, can } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { momentAddress } from '../base/moment-address.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { useEvents } from '../events/events.ts';
import { useEditing } from '../events/useEditing.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ItemList } from '../ui/item-list/ItemList.tsx';
import { useItemList } from '../ui/item-list/useItemList.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { collectedAnnotations } from './collected.ts';
import { annotationColumns, narrowColumns } from './columns.tsx';
import { DeleteAnnotations } from './DeleteAnnotations.tsx';
import { type ExportFormat, exportFormats, useExport } from './export.ts';
import { type Mode, storedFilter, storeFilter, type TableFilter } from './filter.ts';
import { mayDo } from './rows.ts';
import { texts } from './texts.ts';
import { useAnnotationRows } from './useAnnotations.ts';
import { useShowOnMap } from './useShowOnMap.ts';
import { bboxText, useViewArea } from './view-area.ts';

const AnnotationDialog = laterDialog(async () => (await import('./dialog/AnnotationDialog.tsx')).AnnotationDialog);
const BinDialog = laterDialog(async () => (await import('./BinDialog.tsx')).BinDialog);

type Props = { tabs: ReactNode; panel: TabPanelProps };

type Editing =
  | { kind: 'create' }
  | { kind: 'bin' }
  | { kind: 'edit'; rows: readonly [AnnotationRow] }
  | { kind: 'delete'; rows: readonly AnnotationRow[] };

const words = texts.toolbar;
const columns = { all: annotationColumns, phone: narrowColumns };

/** Table of the annotations, with the actions on them. */
export function AnnotationsPanel({ tabs, panel }: Props) {
  const actor = useActor();
  const { show } = useSnackbar();
  const { offlineSince } = useEvents();
  const [filter, setFilter] = useState(storedFilter);
  const area = useViewArea();
  const bbox = filter.mode === 'area' && area !== null ? bboxText(area) : null;
  const listed = useAnnotationRows({ search: filter.search, bbox }, filter.sort);
  const { rows } = listed;
  const list = useItemList({ rows, columns, storageKey: storageKeys.annotationColumns });
  const { selection } = list;
  const save = useExport();
  const showOnMap = useShowOnMap();
  const [openId, setOpenId] = useState<string | null>(null);
  const [editing, setEditing] = useEditing<Editing>('annotations', () => show(texts.gone, 'warning'));
  const close = () => setEditing(null);
  const [exporting, setExporting] = useState<HTMLElement | null>(null);

  const open = rows.find(({ _id }) => _id === openId) ?? null;
  const chosen = selection.chosen.length > 0 ? selection.chosen : open ? [open] : [];
  const mayDelete = chosen.every((row) => mayDo(actor, 'annotation.delete', row));

  function change(part: Partial<TableFilter>) {
    const next = { ...filter, ...part };
    setFilter(next);
    storeFilter(next);
  }

  function edit() {
    const [one] = chosen;
    if (one) setEditing({ kind: 'edit', rows: [one] });
    else show(words.none, 'warning');
  }

  function remove() {
    if (chosen.length === 0) show(words.none, 'warning');
    else setEditing({ kind: 'delete', rows: chosen });
  }

  function beginExport(anchor: HTMLElement) {
    if (!can(actor, 'annotation.exportAny').allowed) return show(texts.guestExport, 'warning');
    if (rows.length === 0) return show(texts.nothingToExport, 'info');
    setExporting(anchor);
  }

  function exportAs(format: ExportFormat) {
    setExporting(null);
    void save(format, selection.chosen.length > 0 ? selection.chosen.map(({ _id }) => _id) : null, {
      search: filter.search,
      bbox,
    });
  }

  const actionsOf = (row: AnnotationRow) => (
    <>
      {row.missionId !== null && row.frame?.state === 'shown' && (
        <Action
          component={Link}
          {...({ to: momentAddress(row.missionId, row.frame.sensorId, row.frame.time) } as object)}
          label={fill(texts.row.moment, { title: row.title })}
          icon={mdiMovieOpenPlayOutline}
        />
      )}
      <AddToCase title={row.title} of={() => collectedAnnotations([row])} />
      <Action
        label={fill(texts.row.edit, { title: row.title })}
        icon={mdiPencilOutline}
        onClick={() => setEditing({ kind: 'edit', rows: [row] })}
      />
      <Action
        label={fill(texts.row.remove, { title: row.title })}
        icon={mdiTrashCanOutline}
        disabled={!mayDo(actor, 'annotation.delete', row)}
        onClick={() => setEditing({ kind: 'delete', rows: [row] })}
      />
    </>
  );

  function openOrClose(row: AnnotationRow) {
    setOpenId(row._id === openId ? null : row._id);
    if (row._id !== openId) void showOnMap(row._id);
  }

  const hidden =
    filter.search !== ''
      ? { texts: texts.filteredEmpty, onClear: () => change({ search: '' }) }
      : filter.mode === 'area'
        ? { icon: mdiMapSearchOutline, texts: texts.areaEmpty, onClear: () => change({ mode: 'all' }) }
        : null;

  return (
    <ItemList
      texts={texts}
      icon={mdiVectorPolygon}
      list={list}
      listed={listed}
      isOffline={offlineSince !== null}
      tabs={{ strip: tabs, panel }}
      nameOf={({ title }) => title}
      openId={openId}
      onOpen={openOrClose}
      mayChoose={() => true}
      actions={list.isPhone ? null : { width: 152, of: actionsOf }}
      sort={filter.sort}
      onSort={(sort) => change({ sort })}
      startsDown={['creationTime']}
      search={filter.search}
      onSearch={(search) => change({ search })}
      hidden={hidden}
      onCreate={can(actor, 'annotation.createAny').allowed ? () => setEditing({ kind: 'create' }) : null}
      onBin={can(actor, 'annotation.bin').allowed ? () => setEditing({ kind: 'bin' }) : null}
      count={texts.count}
      modes={
        <Tooltip title={texts.areaHint}>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={filter.mode}
            aria-label={texts.modes.label}
            onChange={(_event, mode: Mode | null) => mode && change({ mode })}
          >
            <ToggleButton value="all">{texts.modes.all}</ToggleButton>
            <ToggleButton value="area">{texts.modes.area}</ToggleButton>
          </ToggleButtonGroup>
        </Tooltip>
      }
      tools={
        <>
          <Action
            label={words.export}
            icon={mdiDownload}
            aria-haspopup="menu"
            onClick={(event) => beginExport(event.currentTarget)}
          />
          <Action label={words.edit} icon={mdiPencilOutline} onClick={edit} />
          <Action label={words.remove} icon={mdiTrashCanOutline} disabled={!mayDelete} onClick={remove} />
        </>
      }
      bulk={
        <>
          <AddToCase look="button" of={() => collectedAnnotations(selection.chosen)} onAdded={selection.clear} />
          <Button
            variant="text"
            startIcon={<Icon path={mdiDownload} />}
            onClick={(event) => beginExport(event.currentTarget)}
          >
            {texts.bulk.export}
          </Button>
          <Button
            variant="text"
            color="error"
            startIcon={<Icon path={mdiTrashCanOutline} />}
            disabled={!mayDelete}
            onClick={remove}
          >
            {texts.bulk.remove}
          </Button>
        </>
      }
    >
      <Menu anchorEl={exporting} open={exporting !== null} onClose={() => setExporting(null)}>
        {exportFormats.map((format) => (
          <MenuItem key={format} onClick={() => exportAs(format)}>
            {texts.exports[format]}
          </MenuItem>
        ))}
      </Menu>
      {editing?.kind === 'delete' && <DeleteAnnotations rows={editing.rows} onClose={close} />}
      {editing?.kind === 'bin' && <BinDialog onClose={close} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <AnnotationDialog id={editing.kind === 'edit' ? editing.rows[0]._id : null} onClose={close} />
      )}
    </ItemList>
  );
}
