import {
  mdiDeleteClockOutline,
  mdiDownload,
  mdiFilterOffOutline,
  mdiMapSearchOutline,
  mdiMovieOpenPlayOutline,
  mdiPencilOutline,
  mdiPlus,
  mdiTrashCanOutline,
  mdiVectorPolygon,
} from '@mdi/js';
import { Box, Button, Menu, MenuItem, ToggleButton, ToggleButtonGroup, Tooltip, useMediaQuery } from '@mui/material';
import { type AnnotationRow, can, revokedEvent } from '@osprey/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useActor } from '../api/session.ts';
import { fill, formatCount } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { momentAddress } from '../base/moment-address.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { size } from '../base/sizes.ts';
import { errorText } from '../base/transport-error.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { collectedAnnotations } from '../cases/add/collected.ts';
import { useEvents, useServerEvent } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { allOrSome, nextSort, noChoice, PHONE_ROW, sortingOf } from '../ui/table/listing.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { texts as ui } from '../ui/texts.ts';
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
  | { kind: 'edit'; id: string }
  | { kind: 'delete'; rows: AnnotationRow[] };

const words = texts.toolbar;

/** Table of the annotations, and what can be done with them. */
export function AnnotationsPanel({ tabs, panel }: Props) {
  const actor = useActor();
  const { show } = useSnackbar();
  const { offlineSince } = useEvents();
  const [filter, setFilter] = useState(storedFilter);
  const area = useViewArea();
  const bbox = filter.mode === 'area' && area !== null ? bboxText(area) : null;
  const listed = useAnnotationRows({ search: filter.search, bbox }, filter.sort);
  const { rows, total } = listed;
  const selection = useSelection(rows);
  const columns = useColumnChoice(storageKeys.annotationColumns);
  const save = useExport();
  const showOnMap = useShowOnMap();
  const [openId, setOpenId] = useState<string | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [exporting, setExporting] = useState<HTMLElement | null>(null);
  const narrow = useMediaQuery('(max-width: 599.95px)');
  useShownLabels(useMemo(() => rows.map((row) => row.securityClassification), [rows]));
  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    if (noun !== 'annotations' || editing?.kind !== 'edit') return;
    if (all !== true && !ids.includes(editing.id)) return;
    setEditing(null);
    show(texts.gone, 'warning');
  });

  const open = rows.find(({ _id }) => _id === openId) ?? null;
  const chosen = selection.chosen.length > 0 ? selection.chosen : open ? [open] : [];
  const mayAdd = can(actor, 'annotation.createAny').allowed;
  const shownColumns = narrow
    ? narrowColumns
    : annotationColumns.filter(({ id }) => !columns.choice.hidden.includes(id));
  const mayDelete = chosen.every((row) => mayDo(actor, 'annotation.delete', row));

  function change(part: Partial<TableFilter>) {
    const next = { ...filter, ...part };
    setFilter(next);
    storeFilter(next);
  }

  const sortBy = (column: string) => change({ sort: nextSort(filter.sort, column, ['creationTime']) });

  function edit() {
    const [one] = chosen;
    if (one) setEditing({ kind: 'edit', id: one._id });
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
        onClick={() => setEditing({ kind: 'edit', id: row._id })}
      />
      <Action
        label={fill(texts.row.remove, { title: row.title })}
        icon={mdiTrashCanOutline}
        disabled={!mayDo(actor, 'annotation.delete', row)}
        onClick={() => setEditing({ kind: 'delete', rows: [row] })}
      />
    </>
  );

  return (
    <TablePanel
      label={texts.title}
      tabs={tabs}
      faded={listed.stale || offlineSince !== null}
      tools={
        <>
          <SearchField label={texts.search} value={filter.search} onChange={(search) => change({ search })} />
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
          <Box
            component="span"
            role="status"
            sx={{ color: 'text.secondary', fontSize: 12, display: { xs: 'none', md: 'inline' } }}
          >
            {total === null ? '' : formatCount(total, texts.count)}
          </Box>
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <ColumnsMenu
              columns={annotationColumns}
              hidden={columns.choice.hidden}
              onToggle={columns.toggle}
              onReset={columns.reset}
            />
          </Box>
          <Action
            label={words.export}
            icon={mdiDownload}
            aria-haspopup="menu"
            onClick={(event) => beginExport(event.currentTarget)}
          />
          <Action label={words.edit} icon={mdiPencilOutline} onClick={edit} />
          <Action label={words.remove} icon={mdiTrashCanOutline} disabled={!mayDelete} onClick={remove} />
          {can(actor, 'annotation.bin').allowed && (
            <Action label={words.bin} icon={mdiDeleteClockOutline} onClick={() => setEditing({ kind: 'bin' })} />
          )}
          {mayAdd && (
            <Button
              variant="contained"
              color="primary"
              startIcon={<Icon path={mdiPlus} />}
              aria-label={words.addLabel}
              onClick={() => setEditing({ kind: 'create' })}
            >
              {words.add}
            </Button>
          )}
        </>
      }
    >
      <Box {...panel} sx={{ height: '100%' }}>
        <DataTable
          label={texts.title}
          columns={shownColumns}
          rows={rows}
          traits={(row) => ({
            id: row._id,
            name: row.title,
            level: 1,
            open: row._id === openId,
            checked: selection.chosenIds.has(row._id),
          })}
          sorting={sortingOf(filter.sort)}
          onSort={sortBy}
          choice={narrow ? noChoice : columns.choice}
          onWidth={columns.setWidth}
          onOpen={(row) => {
            setOpenId(row._id === openId ? null : row._id);
            if (row._id !== openId) void showOnMap(row._id);
          }}
          onToggle={() => undefined}
          onCheck={(row, extend) => selection.toggle(row._id, extend)}
          onCheckAll={selection.all}
          checkedAll={allOrSome(selection.chosen.length, rows.length)}
          {...(!narrow && { actions: { width: 152, of: actionsOf } })}
          total={total}
          loading={listed.loading}
          onVisible={listed.onVisible}
          rowHeight={narrow ? PHONE_ROW : size.row}
          roomBelow={selection.chosen.length > 0 ? 64 : 0}
        >
          <InPlaceOfRows
            listed={listed}
            filter={filter}
            onChange={change}
            onAdd={mayAdd ? () => setEditing({ kind: 'create' }) : null}
          />
        </DataTable>
      </Box>
      {selection.chosen.length > 0 && (
        <BulkBar count={selection.chosen.length} onClear={selection.clear}>
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
        </BulkBar>
      )}
      <Menu anchorEl={exporting} open={exporting !== null} onClose={() => setExporting(null)}>
        {exportFormats.map((format) => (
          <MenuItem key={format} onClick={() => exportAs(format)}>
            {texts.exports[format]}
          </MenuItem>
        ))}
      </Menu>
      {editing?.kind === 'delete' && <DeleteAnnotations rows={editing.rows} onClose={() => setEditing(null)} />}
      {editing?.kind === 'bin' && <BinDialog onClose={() => setEditing(null)} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <AnnotationDialog id={editing.kind === 'edit' ? editing.id : null} onClose={() => setEditing(null)} />
      )}
    </TablePanel>
  );
}

type InPlaceProps = {
  listed: ReturnType<typeof useAnnotationRows>;
  filter: TableFilter;
  onChange: (part: Partial<TableFilter>) => void;
  onAdd: (() => void) | null;
};

/** Failed, empty, or empty because of the search or the area; nothing while there are rows and all is well. */
function InPlaceOfRows({ listed, filter, onChange, onAdd }: InPlaceProps) {
  if (listed.error !== null) {
    return (
      <Notice failed icon={mdiVectorPolygon} title={fill(texts.fetchFailed, { message: errorText(listed.error) })}>
        <Button onClick={() => void listed.refetch()}>{ui.tryAgain}</Button>
      </Notice>
    );
  }
  if (listed.loading || listed.rows.length > 0) return null;
  if (filter.search !== '') {
    return (
      <Notice icon={mdiFilterOffOutline} title={texts.filteredEmpty.title} text={texts.filteredEmpty.text}>
        <Button onClick={() => onChange({ search: '' })}>{texts.filteredEmpty.clear}</Button>
      </Notice>
    );
  }
  if (filter.mode === 'area') {
    return (
      <Notice icon={mdiMapSearchOutline} title={texts.areaEmpty.title} text={texts.areaEmpty.text}>
        <Button onClick={() => onChange({ mode: 'all' })}>{texts.areaEmpty.all}</Button>
      </Notice>
    );
  }
  return (
    <Notice icon={mdiVectorPolygon} title={texts.empty.title} text={onAdd ? texts.empty.text : texts.empty.guest}>
      {onAdd && (
        <Button startIcon={<Icon path={mdiPlus} />} onClick={onAdd}>
          {words.addLabel}
        </Button>
      )}
    </Notice>
  );
}
