import { mdiClose } from '@mdi/js';
import { Box, Typography } from '@mui/material';
import { statusName } from '@osprey/ais/names';
import { type AisTarget, type AisVessel, listAisVessels } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, formatCount, formatTimeSeconds, NONE, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { Flag } from '../ui/Flag.tsx';
import { DetailPanel } from '../ui/table/DetailPanel.tsx';
import type { AisFilter } from './ais-filter.ts';
import { CardFields } from './CardFields.tsx';
import { mmsiText } from './columns.tsx';
import { Compare } from './compare/Compare.tsx';
import { AddToList } from './lists/AddToList.tsx';
import { texts } from './texts.ts';
import { Filmed, type SpanRow } from './video/Filmed.tsx';

const words = texts.card;

type Props = {
  /** The ship's row: as currently listed, or, if it is no longer listed, as it was when the card was opened. */
  row: AisTarget;
  filter: AisFilter;
  /** Renders one period in which the ship was filmed. */
  span: SpanRow;
  onClose: () => void;
};

/** Card with the facts of one ship, shown next to the table or, on a phone, instead of the table. */
export function VesselCard({ row, filter, span, onClose }: Props) {
  const mission = filter.mission?.id ?? null;
  const api = useApi();
  const { mmsi } = row;
  const known = useQuery({
    queryKey: ['ais', 'vessel', mmsi, mission],
    queryFn: ({ signal }) => {
      const query = { mmsi: [String(mmsi)], ...(mission !== null && { mission }) };
      return api.call(listAisVessels, { query }, { signal });
    },
  });
  const vessel: AisVessel = known.data?.[0] ?? { ...row, formerNames: [] };
  const name = plainText(vessel.name ?? '') || mmsiText(mmsi);
  return (
    <DetailPanel
      label={fill(words.label, { name })}
      width={340}
      foot={null}
      onEscape={onClose}
      head={
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
          {row.countryCode !== null && <Flag code={row.countryCode} />}
          <Typography variant="h3" sx={{ flex: 1, overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
          <Action label={words.close} icon={mdiClose} onClick={onClose} />
        </Box>
      }
    >
      {known.error !== null && (
        <Typography color="error">{fill(texts.failed, { message: errorText(known.error) })}</Typography>
      )}
      <CardFields
        fields={[
          [words.mmsi, mmsiText(mmsi)],
          [words.imo, vessel.imo === null ? null : String(vessel.imo)],
          [words.callSign, vessel.callSign],
          [words.type, vessel.vesselType],
          [words.flag, row.country],
          [words.formerNames, vessel.formerNames.length === 0 ? null : vessel.formerNames.join(', ')],
        ]}
      />
      {vessel.dimensions !== null && <Dimensions of={vessel.dimensions} />}
      <CardFields
        fields={[
          [words.draught, vessel.draught === null ? null : fill(words.metres, { value: vessel.draught.toFixed(1) })],
          [words.destination, vessel.destination],
          [words.eta, vessel.eta === null ? null : fill(words.utc, { time: vessel.eta })],
          [words.status, row.status === null ? null : statusName(row.status)],
          [words.heard, formatTimeSeconds(row.timestamp)],
          [words.sources, `${row.platformName ?? NONE} ${row.sensorName}`],
          [words.receivers, formatCount(row.sources, words.receiverCount)],
        ]}
      />
      <AddToList mmsi={mmsi} name={name} look="button" />
      <Compare mmsi={mmsi} filter={filter} />
      <Filmed mmsi={mmsi} row={span} />
    </DetailPanel>
  );
}

const WIDTH = 290;
const HEIGHT = 64;

/** Draws the hull from above, with the bow to the right and the place of the antenna. */
function Dimensions({ of: { toBow, toStern, toPort, toStarboard } }: { of: NonNullable<AisVessel['dimensions']> }) {
  const length = toBow + toStern;
  const beam = toPort + toStarboard;
  if (length === 0 || beam === 0) return null;
  const scale = Math.min(WIDTH / length, HEIGHT / beam);
  const [long, wide] = [length * scale, beam * scale];
  const bow = Math.min(long / 3, wide);
  const text = fill(words.size, { length: String(length), beam: String(beam) });
  return (
    <Box component="figure" sx={{ m: 0, display: 'grid', gap: 1 }}>
      <Box
        component="svg"
        role="img"
        aria-label={text}
        viewBox={`-2 -2 ${long + 4} ${wide + 4}`}
        sx={{ width: long + 4, maxWidth: '100%', color: 'primary.main' }}
      >
        <path
          d={`M0 0H${long - bow}L${long} ${wide / 2}L${long - bow} ${wide}H0Z`}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.5}
        />
        {toBow > 0 && toPort > 0 && <circle cx={toStern * scale} cy={toPort * scale} r={3} fill="currentColor" />}
      </Box>
      <Box component="figcaption" sx={{ color: 'text.secondary' }}>
        {text}
      </Box>
    </Box>
  );
}
