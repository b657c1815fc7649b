import { mdiFerry, mdiStar, mdiStarOutline, mdiVideoOutline } from '@mdi/js';
import { Box, Button, Chip } from '@mui/material';
import { type Mission, NO_PLATFORM_NAME, RATING_MAX, type Sensor } from '@osprey/contract';
import { createContext, useContext } from 'react';
import { fill, formatNumber, formatTime, NONE, plainText } from '../base/format.ts';
import { firstPictured } from '../onscreen/sheets/sheets-sensor.ts';
import { Flag } from '../ui/Flag.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import { Swatch } from '../ui/Swatch.tsx';
import { TimeText } from '../ui/TimeText.tsx';
import type { Column } from '../ui/table/data-table.ts';
import type { Row } from './rows.ts';
import { StateCell } from './StateCell.tsx';
import { texts } from './texts.ts';

const names = texts.columns;
const line = { display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 } as const;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

/** Missions just made: each has a button until it is opened. */
export const FreshMissions = createContext<{ ids: readonly string[]; open: (mission: Mission) => void } | null>(null);

function OpenFresh({ mission }: { mission: Mission }) {
  const fresh = useContext(FreshMissions);
  if (!fresh?.ids.includes(mission._id)) return null;
  return (
    <Button
      size="small"
      aria-label={fill(texts.openNew, { name: mission.name })}
      onClick={() => fresh.open(mission)}
      sx={{ flex: 'none', height: 24 }}
    >
      {texts.open}
    </Button>
  );
}

function Name({ row }: { row: Row }) {
  if (row.kind === 'sensor') {
    return (
      <Box sx={{ ...line, pl: 1 }}>
        <Icon
          path={row.sensor.type === 'ais' ? mdiFerry : mdiVideoOutline}
          titleAccess={texts.sensorTypes[row.sensor.type]}
          sx={{ color: 'text.secondary' }}
        />
        <Box component="span" sx={cut}>
          {row.sensor.name}
        </Box>
      </Box>
    );
  }
  const held = row.mission.hold ?? row.mission.heldBy ?? null;
  return (
    <Box sx={line}>
      <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={row.mission.name}>
        {row.mission.name}
      </Box>
      <OpenFresh mission={row.mission} />
      {held !== null && (
        <Chip label={row.mission.heldBy ?? texts.held} title={plainText(held)} sx={{ height: 20, flex: 'none' }} />
      )}
      {row.mission.sample && <Chip label={texts.sample} sx={{ height: 20, flex: 'none' }} />}
    </Box>
  );
}

/** Size and codec of a sensor's video, or its description. */
function pictureOf(sensor: Sensor): string {
  const rendition = sensor.hlsProps?.renditions[0];
  if (!rendition) return sensor.description;
  return fill(texts.picture, rendition);
}

function Description({ row }: { row: Row }) {
  const text = plainText(row.kind === 'mission' ? row.mission.description : pictureOf(row.sensor));
  return (
    <Box component="span" title={text} sx={{ color: 'text.secondary' }}>
      {text}
    </Box>
  );
}

const klvDots: Record<'good' | 'warning' | 'none', DotState> = { good: 'online', warning: 'partial', none: 'offline' };

function Platform({ row }: { row: Row }) {
  if (row.kind === 'sensor') {
    const { klv } = row.sensor;
    if (klv === null) return null;
    return (
      <Box sx={{ ...line, color: 'text.secondary' }} title={klv.text}>
        <StateDot state={klvDots[klv.state]} />
        <Box component="span" sx={cut}>
          {klv.text}
        </Box>
      </Box>
    );
  }
  const { type, presentation } = row.mission.platform;
  const name = plainText(row.mission.platform.name);
  if (name === NO_PLATFORM_NAME) return <Box sx={{ color: 'text.secondary' }}>{NONE}</Box>;
  return (
    <Box sx={line} title={`${name} (${type})`}>
      <Swatch color={presentation.color} />
      <Box component="span" sx={cut}>
        {name}
      </Box>
    </Box>
  );
}

const stars = Array.from({ length: RATING_MAX }, (_, index) => index + 1);

function Stars({ rating }: { rating: number }) {
  if (rating === 0) return <Box sx={{ color: 'text.secondary' }}>{NONE}</Box>;
  return (
    <Box
      role="img"
      aria-label={fill(texts.rating, { rating })}
      sx={{ display: 'flex', color: 'text.secondary', '& svg': { fontSize: 16 } }}
    >
      {stars.map((star) => (
        <Icon key={star} path={star <= rating ? mdiStar : mdiStarOutline} />
      ))}
    </Box>
  );
}

function Country({ row }: { row: Row }) {
  if (row.kind === 'sensor' || row.mission.country_code === null) return null;
  const { country_code, country_name } = row.mission;
  const name = plainText(country_name ?? country_code);
  return (
    <Box sx={line} title={name}>
      <Flag code={country_code} />
      <Box component="span" sx={cut}>
        {name}
      </Box>
    </Box>
  );
}

const itemOf = (row: Row) => (row.kind === 'mission' ? row.mission : row.sensor);
const scrubbedIn = (row: Row) => (row.kind === 'mission' ? firstPictured(row.mission) : row.sensor);

/** All columns, in the order of the specification, with the label next to the platform. */
export const missionColumns: readonly Column<Row>[] = [
  {
    id: 'state',
    header: names.state,
    width: 136,
    sortable: true,
    fixed: true,
    cell: (row) => <StateCell item={itemOf(row)} platformId={row.mission.platformId} scrubbed={scrubbedIn(row)} />,
  },
  {
    id: 'name',
    header: names.name,
    width: 160,
    grow: 3,
    sortable: true,
    fixed: true,
    cell: (row) => <Name row={row} />,
  },
  {
    id: 'description',
    header: names.description,
    width: 72,
    grow: 2,
    sortable: true,
    cell: (row) => <Description row={row} />,
  },
  {
    id: 'platform',
    header: names.platform,
    width: 80,
    grow: 1,
    sortable: true,
    cell: (row) => <Platform row={row} />,
  },
  {
    id: 'securityClassification',
    priority: 2,
    header: names.label,
    width: 128,
    sortable: true,
    // The label column cannot be hidden, since a missing label is easily overlooked.
    fixed: true,
    cell: ({ kind, mission }) =>
      kind === 'mission' && <LabelMark label={mission.securityClassification} marked={mission.marked} />,
  },
  { id: 'country', header: names.country, width: 72, grow: 1, sortable: true, cell: (row) => <Country row={row} /> },
  {
    id: 'startTime',
    header: names.startTime,
    width: 136,
    sortable: true,
    cell: (row) => <TimeText timeUs={itemOf(row).startTime} />,
  },
  {
    id: 'endTime',
    header: names.endTime,
    width: 136,
    sortable: true,
    cell: (row) => <TimeText timeUs={itemOf(row).endTime} />,
  },
  {
    id: 'rating',
    header: names.rating,
    width: 88,
    sortable: true,
    cell: (row) => row.kind === 'mission' && <Stars rating={row.mission.rating} />,
  },
  {
    id: 'views',
    header: names.views,
    width: 60,
    align: 'right',
    sortable: true,
    cell: (row) => formatNumber(itemOf(row).views),
  },
];

/**
 * Minimum window width at which the columns of `hiddenAtFirst` are shown by default; below it the name needs the room.
 */
export const ROOMY = '(min-width: 1280px)';
export const hiddenAtFirst: readonly string[] = ['endTime', 'rating'];

function NarrowName({ row }: { row: Row }) {
  if (row.kind === 'sensor') return <Name row={row} />;
  const { name, sample, startTime, platform } = row.mission;
  return (
    <>
      <Box sx={{ ...cut, fontWeight: 600 }}>{name}</Box>
      <Box sx={{ ...line, color: 'text.secondary', fontSize: 12, lineHeight: '16px', gap: 1.5 }}>
        <Box component="span" sx={{ flex: 'none' }}>
          {formatTime(startTime)}
        </Box>
        <Box component="span" sx={cut}>
          {sample ? texts.sample : platform.name !== NO_PLATFORM_NAME && plainText(platform.name)}
        </Box>
      </Box>
    </>
  );
}

/**
 * Columns for a phone: three of them, where the name has its start time and platform below it. With the arrow and the
 * checkbox they need 316 px, so that the label remains visible on the narrowest screen, and at 400 % zoom on a wide
 * one.
 */
export const narrowColumns: readonly Column<Row>[] = [
  {
    ...missionColumns[0]!,
    width: 60,
    cell: (row) => <StateCell item={itemOf(row)} platformId={row.mission.platformId} compact />,
  },
  { ...missionColumns[1]!, width: 64, grow: 1, cell: (row) => <NarrowName row={row} /> },
  { ...missionColumns[4]!, width: 116 },
];
