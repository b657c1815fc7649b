import { mdiAlertOutline, mdiFerry, mdiVideoOutline } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import { can } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { formatDuration, formatNumber, formatSize, NONE, plainText } from '../base/format.ts';
import { unseen } from '../base/sizes.ts';
import { useNowMs } from '../base/useNowMs.ts';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { Swatch } from '../ui/Swatch.tsx';
import { TimeText } from '../ui/TimeText.tsx';
import type { Column } from '../ui/table/data-table.ts';
import { DescribeButton } from './control/DescribeButton.tsx';
import { RecordButton } from './control/RecordButton.tsx';
import { RecordNowButton } from './control/RecordNowButton.tsx';
import { TryAgainButton } from './control/TryAgainButton.tsx';
import { LiveStateCell, type Preview } from './LiveStateCell.tsx';
import { factsOf, itemOf, type Row, recordedSeconds } from './rows.ts';
import { streamText, troubleOf } from './stream-text.ts';
import { texts } from './texts.ts';

const names = texts.columns;
const line = { display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 } as const;
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

function Name({ row }: { row: Row }) {
  if (row.kind === 'sensor') {
    return (
      <Box sx={{ ...line, pl: 4 }}>
        <Icon
          path={row.sensor.type === 'ais' ? mdiFerry : mdiVideoOutline}
          titleAccess={texts.sensorTypes[row.sensor.type] ?? row.sensor.type}
          sx={{ color: 'text.secondary' }}
        />
        <Box component="span" sx={cut} title={row.sensor.name}>
          {row.sensor.name}
        </Box>
      </Box>
    );
  }
  const { name, presentation } = row.platform;
  return (
    <Box sx={line}>
      <Swatch color={presentation.color} />
      <Box component="span" sx={{ ...cut, fontWeight: 600 }} title={name}>
        {name}
      </Box>
    </Box>
  );
}

function Description({ row }: { row: Row }) {
  const trouble = row.kind === 'sensor' ? troubleOf(row.sensor) : null;
  if (trouble !== null) {
    const { brief, reason } = trouble;
    return (
      <Box component="span" sx={{ ...line, color: 'warning.main' }} title={brief ? `${brief}. ${reason}` : reason}>
        {brief ? (
          <Box component="span" sx={{ flex: 'none' }}>
            {brief}
          </Box>
        ) : (
          <Icon path={mdiAlertOutline} sx={{ fontSize: 16, flex: 'none' }} />
        )}
        <Box component="span" sx={cut}>
          {reason}
        </Box>
      </Box>
    );
  }
  const text = plainText(row.kind === 'platform' ? row.platform.description : streamText(row.sensor));
  return (
    <Box component="span" title={text} sx={{ color: 'text.secondary' }}>
      {text}
    </Box>
  );
}

/** Red disc that indicates a running recording, in any state of its stream. */
function Rec({ row }: { row: Row }) {
  const { live, missionName } = itemOf(row);
  if (!live) return null;
  return (
    <Tooltip title={missionName ?? ''}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, fontWeight: 500 }}>
        <StateDot state="live" />
        {texts.rec}
      </Box>
    </Tooltip>
  );
}

function Duration({ row }: { row: Row }) {
  const nowMs = useNowMs();
  const seconds = recordedSeconds(itemOf(row), row.readAtMs, nowMs);
  return seconds === null ? NONE : formatDuration(seconds);
}

const sizeText = (bytes: number | null): string => (bytes === null ? NONE : formatSize(bytes));

/**
 * Record button of a row. For a sensor that is set aside, it is replaced by Try again, since nothing is recorded until
 * then; a running recording can always be stopped.
 */
function RecordAct({ row }: { row: Row }) {
  const actor = useActor();
  const isAside = row.kind === 'sensor' && row.sensor.aside != null;
  const triesAgain = isAside && can(actor, 'platform.control', factsOf(row.platform)).allowed;
  if (triesAgain && !row.sensor.live) return <TryAgainButton row={row} />;
  return (
    <>
      <RecordButton row={row} />
      {triesAgain ? <TryAgainButton row={row} /> : <RecordNowButton row={row} />}
      <DescribeButton row={row} />
    </>
  );
}

/** Column for users who may control platforms: the first one, on a phone the last. */
export const recordColumn: Column<Row> = {
  id: 'record',
  header: names.record,
  width: 108,
  fixed: true,
  cell: (row) => (
    <Box component="span" sx={{ display: 'flex', gap: 1 }}>
      <RecordAct row={row} />
    </Box>
  ),
};

/** Returns all columns except Record, in the order of the specification, with label and size inserted. */
export const platformColumns = (preview: Preview | undefined): readonly Column<Row>[] => [
  {
    id: 'state',
    header: names.state,
    width: 112,
    sortable: true,
    fixed: true,
    cell: (row) => <LiveStateCell row={row} preview={preview} />,
  },
  { id: 'rec', header: names.rec, width: 68, sortable: true, fixed: true, cell: (row) => <Rec row={row} /> },
  {
    id: 'name',
    header: names.name,
    width: 130,
    grow: 1,
    sortable: true,
    fixed: true,
    cell: (row) => <Name row={row} />,
  },
  {
    id: 'label',
    priority: 2,
    header: names.label,
    width: 130,
    // The label column cannot be hidden, since a missing label is easily overlooked, as is one below the actions of a
    // row in a low window.
    fixed: true,
    cell: ({ kind, platform }) =>
      kind === 'platform' && <LabelMark label={platform.securityClassification} marked={platform.marked} />,
  },
  {
    id: 'description',
    header: names.description,
    // Wide enough for "Set aside until 13:15 Z".
    width: 152,
    grow: 4,
    sortable: true,
    cell: (row) => <Description row={row} />,
  },
  {
    id: 'type',
    header: names.type,
    width: 92,
    sortable: true,
    cell: (row) => (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {itemOf(row).type}
      </Box>
    ),
  },
  {
    id: 'startTime',
    header: names.startTime,
    width: 150,
    sortable: true,
    cell: (row) => <TimeText timeUs={itemOf(row).recordingStartTime} />,
  },
  {
    id: 'duration',
    header: names.duration,
    width: 84,
    align: 'right',
    sortable: true,
    cell: (row) => <Duration row={row} />,
  },
  {
    id: 'segments',
    header: names.segments,
    width: 84,
    align: 'right',
    sortable: true,
    cell: (row) => formatNumber(itemOf(row).segments),
  },
  {
    id: 'size',
    header: names.size,
    width: 80,
    align: 'right',
    sortable: true,
    cell: (row) => sizeText(itemOf(row).sizeBytes),
  },
];

function NarrowName({ row }: { row: Row }) {
  const { live } = itemOf(row);
  return (
    <Box sx={{ display: 'grid', gap: 0.5 }}>
      <Box sx={{ ...line, lineHeight: '20px' }}>
        <Name row={row} />
        <Box component="span" sx={{ flex: 'none', fontSize: 12 }}>
          <LiveStateCell row={row} />
        </Box>
      </Box>
      <Box sx={{ ...line, fontSize: 12, lineHeight: '20px' }}>
        {row.kind === 'platform' && (
          <Box component="span" sx={{ flex: 'none' }}>
            <LabelMark label={row.platform.securityClassification} marked={row.platform.marked} />
          </Box>
        )}
        {live && (
          <Box component="span" sx={{ flex: 'none' }}>
            <Duration row={row} />
          </Box>
        )}
        <Box component="span" sx={cut}>
          <Description row={row} />
        </Box>
      </Box>
      {live && (
        <Box component="span" sx={unseen}>
          {texts.rec}
        </Box>
      )}
    </Box>
  );
}

/**
 * Columns for a phone, in addition to Record: the name with its state, and below it label, recorded duration and
 * description.
 */
export const narrowColumns: readonly Column<Row>[] = [
  { id: 'name', header: names.name, width: 140, grow: 1, fixed: true, cell: (row) => <NarrowName row={row} /> },
];
