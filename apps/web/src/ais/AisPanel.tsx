import { mdiFerry, mdiFilterOffOutline } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import { type AisTarget, can } from '@osprey/contract';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useActor, useSession } from '../api/session.ts';
import { fill, plainText } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { errorText } from '../base/transport-error.ts';
import { useUnits } from '../base/units.ts';
import { useEvents } from '../events/events.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { Sorting } from '../ui/table/data-table.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { AisFilterBar } from './AisFilterBar.tsx';
import { AisTools } from './AisTools.tsx';
import { type AisFilter, hasRange, usualFilter } from './ais-filter.ts';
import { aisColumns, mmsiText } from './columns.tsx';
import { countText } from './count-text.ts';
import { AddToList } from './lists/AddToList.tsx';
import { useShipLists } from './lists/useShipLists.ts';
import { useShips } from './ships.ts';
import { texts } from './texts.ts';
import { useAisSources } from './useAisSources.ts';
import { useAisTargets } from './useAisTargets.ts';
import { VesselCard } from './VesselCard.tsx';
import type { SpanRow } from './video/Filmed.tsx';

type Props = {
  tabs: ReactNode;
  panel: TabPanelProps;
  /** Renders one period in which a ship was filmed. */
  span: SpanRow;
};

const nothing = () => undefined;

/** Table of ships below the stage: those received at present, or those recorded with a mission. */
export function AisPanel({ tabs, panel, span }: Props) {
  const { filter, change, chosen, choose } = useShips();
  const { offlineSince } = useEvents();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const units = useUnits();
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<Sorting>({ column: 'timestamp', descending: true });
  const sort = `${sorting.descending ? '-' : ''}${sorting.column}`;
  const sources = useAisSources();
  const shipLink = useSession().info?.shipLink ?? null;
  const { rows: lists, colours, isRead } = useShipLists(filter);
  // If the chosen list was deleted, or is no longer shared with the user, the filter is reset, so that all ships are
  // shown instead of none.
  const isListGone = isRead && filter.list !== null && !lists.some(({ _id }) => _id === filter.list?.id);
  useEffect(() => {
    if (isListGone) change({ list: null });
  }, [isListGone, change]);
  const listed = useAisTargets({ filter, search, sort });
  const columnChoice = useColumnChoice(storageKeys.aisColumns);
  const { rows, error, loading, total } = listed;
  const isAll = filter.mode === 'all';
  // The trail is drawn by the map, and colours are applied by the page, so neither changes the rows.
  const { trail: _trail, plain: _plain, ...shownBy } = filter;
  const label = sources.data?.securityClassification ?? 'UNCLASSIFIED';
  // The receivers that the rows come from change every second, so the bar always shows the highest label of all of
  // them.
  useShownLabels(useMemo(() => [label], [label]));

  const [card, setCard] = useState<AisTarget | null>(null);
  /**
   * The ship's current row. If the ship is no longer on the listed page, the row as it was when the card was opened.
   */
  const carded = card && (rows.find(({ mmsi }) => mmsi === card.mmsi) ?? card);
  const open = (row: AisTarget) => {
    select(row);
    setCard(row);
  };
  const select = (row: AisTarget) => choose({ mmsi: row.mmsi, place: { lat: row.lat, lon: row.lon } });
  const columns = useMemo(
    () => aisColumns(filter.aisType, { narrow, coordinates: units.coordinates, onOpen: open, colours, shipLink }),
    // `units` is a dependency, since the text of the cells depends on the chosen units.
    [filter.aisType, narrow, units, choose, colours, shipLink],
  );
  const onSort = (column: string) =>
    setSorting((before) => ({
      column,
      descending: before.column === column ? !before.descending : column === 'timestamp',
    }));

  return (
    <TablePanel
      label={texts.table}
      tabs={tabs}
      tools={
        <>
          <AisTools filter={filter} label={label} sort={sort} search={search} onSearch={setSearch} />
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <ColumnsMenu
              columns={columns}
              hidden={columnChoice.choice.hidden}
              onToggle={columnChoice.toggle}
              onReset={columnChoice.reset}
            />
          </Box>
        </>
      }
      filters={
        <AisFilterBar
          filter={filter}
          missions={sources.data?.missions ?? []}
          receivers={sources.data?.receivers ?? []}
          lists={lists}
          count={total === null ? '' : countText(total, isAll)}
          onChange={change}
        />
      }
      faded={listed.stale || offlineSince !== null}
    >
      <Box {...panel} sx={{ height: '100%', display: 'flex' }}>
        <Box sx={{ flex: 1, minWidth: 0, display: { xs: carded ? 'none' : 'block', sm: 'block' } }}>
          <DataTable
            label={texts.table}
            columns={columns}
            rows={rows}
            traits={(row) => ({
              id: isAll ? `${row.mmsi}/${row.timestamp}/${row.sensorName}` : String(row.mmsi),
              name: row.name ?? String(row.mmsi),
              level: 1,
              open: chosen?.mmsi === row.mmsi,
            })}
            sorting={sorting}
            onSort={onSort}
            choice={columnChoice.choice}
            onWidth={columnChoice.setWidth}
            onOpen={select}
            onToggle={nothing}
            actions={{
              width: 48,
              of: (row) => (
                <AddToList mmsi={row.mmsi} name={plainText(row.name ?? '') || mmsiText(row.mmsi)} look="icon" />
              ),
            }}
            total={total}
            holdKey={JSON.stringify([shownBy, search, sort])}
            onVisible={listed.onVisible}
            loading={loading && rows.length === 0}
          >
            {error !== null && rows.length === 0 && (
              <Notice failed icon={mdiFerry} title={fill(texts.failed, { message: errorText(error) })} />
            )}
            {error === null && !loading && rows.length === 0 && (
              <NoShips
                receivers={sources.data?.receivers.map(
                  ({ platformName, sensorName }) => `${platformName} ${sensorName}`,
                )}
                filter={filter}
                searched={search !== ''}
                onClear={() => {
                  setSearch('');
                  change({ ...usualFilter, trail: filter.trail, plain: filter.plain });
                }}
              />
            )}
          </DataTable>
        </Box>
        {carded && (
          <VesselCard key={carded.mmsi} row={carded} filter={filter} span={span} onClose={() => setCard(null)} />
        )}
      </Box>
    </TablePanel>
  );
}

type NoShipsProps = {
  /** Names of the receivers; undefined while they are not known yet. */
  receivers: readonly string[] | undefined;
  filter: AisFilter;
  searched: boolean;
  onClear: () => void;
};

/** Notice that explains why there are no rows, and how to change that. */
function NoShips({ receivers, filter, searched, onClear }: NoShipsProps) {
  const maySetUp = can(useActor(), 'platformConfig.manage').allowed;
  if (receivers === undefined) return null;
  const { noSource, silent, none } = texts;
  const isNarrowed =
    searched ||
    hasRange(filter) ||
    filter.mission !== null ||
    filter.list !== null ||
    filter.aisType !== usualFilter.aisType;
  if (isNarrowed) {
    return (
      <Notice icon={mdiFilterOffOutline} title={none.title} text={none.text}>
        <Button onClick={onClear}>{none.clear}</Button>
      </Notice>
    );
  }
  if (receivers.length > 0) {
    const shown = receivers.slice(0, 5).join(', ');
    return (
      <Notice
        icon={mdiFerry}
        title={fill(silent.title, { minutes: filter.retention })}
        text={fill(silent.text, { receivers: receivers.length > 5 ? `${shown}, …` : shown })}
      />
    );
  }
  return (
    <Notice icon={mdiFerry} title={noSource.title} text={maySetUp ? noSource.admin : noSource.user}>
      {maySetUp && (
        <Button component={Link} to="/platforms">
          {noSource.way}
        </Button>
      )}
    </Notice>
  );
}
