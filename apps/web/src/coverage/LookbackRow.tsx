import { Box, ButtonBase } from '@mui/material';
import { getSensorPictures, type LookbackSpan } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../api/api.ts';
import { fill, formatClock, formatNumber, formatTimeSeconds } from '../base/format.ts';
import { ScrubOnHover } from '../onscreen/sheets/ScrubOnHover.tsx';
import { nearestPicture } from '../timeline/pictures.ts';
import { addressOfSpan } from './span-address.ts';
import { texts } from './texts.ts';
import { atMost } from './two-at-once.ts';

/**
 * Time in milliseconds for which the pictures of a sensor are cached. They are read once for all rows of the sensor;
 * new ones appear while they are being made.
 */
const PICTURES_CACHE_MS = 30_000;
/** Limits simultaneous requests for pictures, so that they do not delay requests for what the user opens next. */
const turn = atMost(2);

/** A picture runs through the period in which the place was seen, and so much before and after it, in microseconds. */
const AROUND_US = 60_000_000;

type Props = {
  span: LookbackSpan;
  /** Additional facts shown in the row. */
  facts?: readonly string[];
  /** Called when the pointer or the focus enters or leaves the row. */
  onChosen?: (isChosen: boolean) => void;
  /** Called before the period is played. */
  onPlay?: () => void;
  /** Controls before and after the text of the row: for example to select it, and other actions. */
  before?: ReactNode;
  after?: ReactNode;
};

/** Row with one period in which the place was seen. A click plays the first frame that shows it. */
export function LookbackRow({ span, facts: more = [], onChosen, onPlay, before, after }: Props) {
  const { missionId, sensorId, mission, sensor, from, to, first, distanceM, resolutionM, approximate } = span;
  const navigate = useNavigate();
  const api = useApi();
  const { data: pictures } = useQuery({
    queryKey: ['pictures', sensorId],
    staleTime: PICTURES_CACHE_MS,
    queryFn: ({ signal }) =>
      turn(() => api.call(getSensorPictures, { params: { mission: missionId, sensor: sensorId } }, { signal }), signal),
  });
  const picture = nearestPicture(pictures ?? [], first);
  const facts = [
    distanceM !== null && fill(texts.distance, { length: distanceText(distanceM) }),
    resolutionM !== null && resolutionM > 0 && fill(texts.resolution, { metres: formatNumber(resolutionM, 2) }),
    ...more,
    approximate === true && texts.approximate,
  ].filter((fact) => fact !== false);
  const play = () => {
    onPlay?.();
    void navigate(addressOfSpan(span));
  };
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center' }}>
      {before}
      <ButtonBase
        onClick={play}
        onMouseEnter={() => onChosen?.(true)}
        onMouseLeave={() => onChosen?.(false)}
        onFocus={() => onChosen?.(true)}
        onBlur={() => onChosen?.(false)}
        aria-label={fill(texts.play, { mission, sensor, time: formatTimeSeconds(from) })}
        sx={{
          flex: 1,
          minWidth: 0,
          display: 'flex',
          gap: 2,
          p: 1,
          borderRadius: 1,
          textAlign: 'left',
          '&:hover': { bgcolor: 'action.hover' },
        }}
      >
        <Box sx={{ flex: 'none', borderRadius: 1, bgcolor: 'surface.base' }}>
          <ScrubOnHover
            sensor={picture && { _id: sensorId, missionId }}
            span={{ fromUs: from - AROUND_US, toUs: to + AROUND_US }}
            width={112}
            height={63}
          >
            {picture && (
              <img
                src={picture.url}
                alt=""
                loading="lazy"
                style={{ display: 'block', width: '100%', height: '100%', objectFit: 'cover' }}
              />
            )}
          </ScrubOnHover>
        </Box>
        <Box sx={{ flex: 1, minWidth: 0, fontSize: 12 }}>
          <Box
            sx={{ fontSize: 14, fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
          >
            {mission}
          </Box>
          <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{sensor}</Box>
          <Box>{fill(texts.span, { from: formatTimeSeconds(from), to: formatClock(to) })}</Box>
          <Box sx={{ color: 'text.secondary' }}>{facts.join(' · ')}</Box>
        </Box>
      </ButtonBase>
      {after}
    </Box>
  );
}

const distanceText = (metres: number): string =>
  metres < 1000 ? `${formatNumber(metres)} m` : `${formatNumber(metres / 1000, 1)} km`;
