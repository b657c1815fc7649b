import { Box } from '@mui/material';
import { getSensorPictures } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { formatClock } from '../base/format.ts';
import { nearestPicture } from './pictures.ts';
import type { Hover } from './useTrackPointer.ts';

/** `sensor`: null if there are no pictures of it. */
type Props = { sensor: { _id: string; missionId: string } | null; hover: Hover; width: number };

/**
 * Time for which the list of pictures is cached, in milliseconds; it is short, since pictures may still be generated.
 */
const PICTURES_GOOD_MS = 30_000;

const PICTURE = { width: 176, height: 99 } as const;

/** Popup above the pointer with its time, and the picture of that time if there is one. */
export function HoverPicture({ sensor, hover, width }: Props) {
  const api = useApi();
  const { data: pictures } = useQuery({
    queryKey: ['pictures', sensor?._id],
    enabled: sensor !== null,
    staleTime: PICTURES_GOOD_MS,
    queryFn: () =>
      api.call(getSensorPictures, { params: { mission: sensor?.missionId ?? '', sensor: sensor?._id ?? '' } }),
  });
  const picture = nearestPicture(pictures ?? [], hover.timeUs);
  const half = PICTURE.width / 2 + 6;
  return (
    <Box
      aria-hidden="true"
      data-part="hover-picture"
      sx={{
        position: 'absolute',
        bottom: '100%',
        left: Math.min(Math.max(hover.x, half), Math.max(half, width - half)),
        transform: 'translateX(-50%)',
        mb: 1,
        p: 1,
        zIndex: 5,
        borderRadius: 1,
        border: 1,
        borderColor: 'surface.lineStrong',
        bgcolor: 'surface.raised',
        fontSize: 12,
        textAlign: 'center',
        pointerEvents: 'none',
      }}
    >
      {picture && (
        <img src={picture.url} alt="" style={{ display: 'block', ...PICTURE, objectFit: 'cover', borderRadius: 4 }} />
      )}
      {formatClock(hover.timeUs)} Z
    </Box>
  );
}
