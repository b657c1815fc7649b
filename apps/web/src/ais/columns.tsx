import { mdiAlertOutline, mdiOpenInNew } from '@mdi/js';
import { Box, Link, Tooltip } from '@mui/material';
import { fixTypeName } from '@osprey/ais/names';
import { type AisTarget, type AisType, NO_HEADING } from '@osprey/contract';
import { formatBearing } from '../base/bearings.ts';
import { fill, formatTimeSeconds, NONE, plainText } from '../base/format.ts';
import { formatCoordinate, formatMeasured, formatPlace, type Units } from '../base/units.ts';
import { Flag } from '../ui/Flag.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Swatch } from '../ui/Swatch.tsx';
import type { Column } from '../ui/table/data-table.ts';
import type { ListColour } from './lists/coloured.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const line = { display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 } as const;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

/** Formats an MMSI as nine digits in groups of three, as it is spoken: "248 113 000". */
export const mmsiText = (mmsi: number): string =>
  String(mmsi)
    .padStart(9, '0')
    .replace(/(\d{3})(?=\d)/g, '$1\u202f');

type Heard = Pick<AisTarget, 'lat' | 'lon' | 'timestamp'>;

/**
 * Formats a heading. A missing heading is shown as "not available": AIS transmits it as 511, the server returns null.
 */
export const headingText = ({ hdg, ...at }: Heard & { hdg: number | null }): string =>
  hdg === null || hdg === NO_HEADING ? texts.notAvailable : formatBearing(hdg, at, at.timestamp);

const courseText = ({ cog, ...at }: AisTarget): string =>
  cog === null ? texts.notAvailable : formatBearing(cog, at, at.timestamp, 1);

const speedText = (sog: number | null): string => (sog === null ? texts.notAvailable : formatMeasured(sog, 'kn', 1));

function Sensor({ row }: { row: AisTarget }) {
  return (
    <Tooltip title={fill(texts.heardBy, { platform: row.platformName ?? NONE, sensor: row.sensorName })}>
      <Box component="span" sx={cut}>
        {row.sensorName}
      </Box>
    </Tooltip>
  );
}

function Name({ row, list }: { row: AisTarget; list: ListColour | undefined }) {
  const name = plainText(row.name ?? '');
  return (
    <Box sx={line}>
      {list && (
        <Box
          component="span"
          role="img"
          aria-label={fill(texts.onList, { name: list.name })}
          title={fill(texts.onList, { name: list.name })}
        >
          <Swatch color={list.colour} />
        </Box>
      )}
      {row.suspect && (
        <Icon
          path={mdiAlertOutline}
          titleAccess={row.suspectFor.map((doubt) => texts.suspectFor[doubt]).join(' ')}
          sx={{ color: 'warning.main', fontSize: 16 }}
        />
      )}
      <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={name}>
        {name === '' ? NONE : name}
      </Box>
    </Box>
  );
}

function Country({ row }: { row: AisTarget }) {
  if (row.country === null) return NONE;
  return (
    <Box sx={line}>
      {row.countryCode !== null && <Flag code={row.countryCode} />}
      <Box component="span" sx={cut} title={row.country}>
        {row.country}
      </Box>
    </Box>
  );
}

/**
 * Link to a page about the ship on an external website. That website learns which ship a user is looking at, so the
 * link is shown only for unclassified ships, and no other information is sent (no referrer).
 */
function LinkOutside({ row, template }: { row: AisTarget; template: string | null }) {
  if (template === null || row.securityClassification !== 'UNCLASSIFIED') return null;
  return (
    <Tooltip title={texts.outside}>
      <Link
        href={template.replace('{mmsi}', row.mmsiText)}
        target="_blank"
        rel="noopener noreferrer"
        referrerPolicy="no-referrer"
        aria-label={fill(texts.outsideOf, { mmsi: mmsiText(row.mmsi) })}
        onClick={(event) => event.stopPropagation()}
        sx={{ display: 'inline-flex' }}
      >
        <Icon path={mdiOpenInNew} sx={{ fontSize: 16 }} />
      </Link>
    </Tooltip>
  );
}

type Options = {
  /** Address of an external page about a ship, with the placeholder `{mmsi}`; null: no link. */
  shipLink: string | null;
  coordinates: Units['coordinates'];
  onOpen: (row: AisTarget) => void;
  colours: ReadonlyMap<number, ListColour>;
};

function allColumns({ onOpen, colours, shipLink }: Omit<Options, 'coordinates'>): Record<string, Column<AisTarget>> {
  const sortable = true;
  const right = { align: 'right', sortable } as const;
  return {
    sensorName: {
      id: 'sensorName',
      header: names.sensorName,
      width: 110,
      sortable,
      cell: (row) => <Sensor row={row} />,
    },
    mmsi: {
      ...{ id: 'mmsi', header: names.mmsi, width: 120, sortable, fixed: true },
      cell: (row) => (
        <Box sx={line}>
          <Link
            component="button"
            type="button"
            onClick={(event) => {
              event.stopPropagation();
              onOpen(row);
            }}
            sx={{ font: 'inherit', fontVariantNumeric: 'tabular-nums' }}
          >
            {mmsiText(row.mmsi)}
          </Link>
          <LinkOutside row={row} template={shipLink} />
        </Box>
      ),
    },
    name: {
      id: 'name',
      header: names.name,
      width: 150,
      grow: 2,
      sortable,
      cell: (row) => <Name row={row} list={colours.get(row.mmsi)} />,
    },
    vesselType: {
      ...{ id: 'vesselType', header: names.vesselType, width: 130, grow: 1, sortable },
      cell: (row) => row.vesselType ?? NONE,
    },
    country: {
      id: 'country',
      header: names.country,
      width: 130,
      grow: 1,
      sortable,
      cell: (row) => <Country row={row} />,
    },
    timestamp: {
      ...{ id: 'timestamp', header: names.timestamp, width: 170, sortable },
      cell: (row) => formatTimeSeconds(row.timestamp),
    },
    lat: {
      id: 'lat',
      header: names.lat,
      width: 120,
      ...right,
      cell: (row) => formatCoordinate(row.lat, 'lat', row.lon),
    },
    lon: {
      id: 'lon',
      header: names.lon,
      width: 120,
      ...right,
      cell: (row) => formatCoordinate(row.lon, 'lon', row.lat),
    },
    // Latitude and longitude in one cell. Not sortable, since sorting is from south to north and not by letters.
    mgrs: { id: 'mgrs', header: names.mgrs, width: 160, cell: (row) => formatPlace(row) },
    cog: { id: 'cog', header: names.cog, width: 80, ...right, cell: (row) => courseText(row) },
    hdg: { id: 'hdg', header: names.hdg, width: 70, ...right, cell: (row) => headingText(row) },
    sog: { id: 'sog', header: names.sog, width: 80, priority: 1, ...right, cell: (row) => speedText(row.sog) },
    fixType: {
      ...{ id: 'fixType', header: names.fixType, width: 140, grow: 1, sortable },
      cell: (row) => (row.fixType === null ? NONE : fixTypeName(row.fixType)),
    },
  };
}

const shown: Record<AisType, readonly string[]> = {
  vessels: ['sensorName', 'mmsi', 'name', 'vesselType', 'country', 'timestamp', 'lat', 'lon', 'cog', 'hdg', 'sog'],
  baseStations: ['sensorName', 'mmsi', 'name', 'country', 'timestamp', 'lat', 'lon', 'fixType'],
};

/** Columns shown on a phone: the identity of the ship and its speed. */
const NARROW = ['name', 'mmsi', 'sog'];

/**
 * MGRS combines both coordinates in one text, so a single MGRS column replaces the columns of latitude and longitude.
 */
function placed(id: string, coordinates: Units['coordinates']): string[] {
  if (coordinates !== 'mgrs' || (id !== 'lat' && id !== 'lon')) return [id];
  return id === 'lat' ? ['mgrs'] : [];
}

export function aisColumns(type: AisType, options: Options & { narrow?: boolean }): Column<AisTarget>[] {
  const all = allColumns(options);
  const ids = options.narrow ? NARROW : shown[type].flatMap((id) => placed(id, options.coordinates));
  return ids.map((id) => all[id]!).map((column) => (options.narrow ? { ...column, width: 90, grow: 1 } : column));
}
