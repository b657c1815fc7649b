import { Box } from '@mui/material';
import { getSensorPictures } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api.ts';
import { formatClock } from '../base/format.ts';
import { CellPicture } from '../onscreen/sheets/CellPicture.tsx';
import { type Cell, cellAt } from '../onscreen/sheets/cells.ts';
import type { SheetsSensor } from '../onscreen/sheets/sheets-sensor.ts';
import { useCells, useSheetAddress } from '../onscreen/sheets/useSheets.ts';
import { nearestPicture } from './pictures.ts';
import type { Hover } from './useTrackPointer.ts';

/** `sensor`: null if there are no pictures of it. */
type Props = { sensor: SheetsSensor | null; hover: Hover; width: number };

/**
 * Time for which the list of pictures is cached, in milliseconds; it is short, since pictures may still be generated.
 */
const PICTURES_GOOD_MS = 30_000;
/** Time in milliseconds for which the pointer rests on a picture before the larger one is read. */
const REST_MS = 400;

const PICTURE = { width: 202, height: 114 } as const;
const style = { display: 'block', ...PICTURE, objectFit: 'cover', borderRadius: 4 } as const;

/**
 * Popup above the pointer with the picture of that time, and the picture's own time; the time alone if there is no
 * picture near. Moving runs through the sheets; the larger picture is read where the pointer rests.
 */
export function HoverPicture({ sensor, hover, width }: Props) {
  const cells = useCells(sensor);
  const cell = cellAt(cells, hover.timeUs);
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
      {sensor && cell && <Picture sensor={sensor} cell={cell} />}
      {sensor && cells.length === 0 && <Unjoined sensor={sensor} timeUs={hover.timeUs} />}
      {(!sensor || (cells.length > 0 && !cell)) && clockOf(hover.timeUs)}
    </Box>
  );
}

const clockOf = (timeUs: number): string => `${formatClock(timeUs)} Z`;

/** Single picture of a recording without sheets, which is a request of its own. */
function Unjoined({ sensor, timeUs }: { sensor: SheetsSensor; timeUs: number }) {
  const picture = nearestPicture(usePictures(sensor, true), timeUs);
  return (
    <>
      {picture && <img src={picture.url} alt="" style={style} />}
      {clockOf(picture?.time ?? timeUs)}
    </>
  );
}

function Picture({ sensor, cell }: { sensor: SheetsSensor; cell: Cell }) {
  const { address } = useSheetAddress(sensor._id, cell.sheet);
  const large = useLarge(sensor, cell);
  return (
    <>
      <Box sx={{ position: 'relative', borderRadius: 1, overflow: 'hidden', ...PICTURE, bgcolor: 'surface.base' }}>
        {address !== null && <CellPicture cell={cell} address={address} {...PICTURE} />}
        {large !== null && <img src={large} alt="" style={{ ...style, position: 'absolute', inset: 0 }} />}
      </Box>
      {clockOf(cell.timeUs)}
    </>
  );
}

/** Returns the address of the larger picture of the same moment once the pointer has rested on it; else null. */
function useLarge(sensor: SheetsSensor, { timeUs }: Cell): string | null {
  const [rested, setRested] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(timeUs), REST_MS);
    return () => clearTimeout(timer);
  }, [timeUs]);
  const pictures = usePictures(sensor, rested === timeUs);
  const picture = rested === timeUs ? nearestPicture(pictures, timeUs) : null;
  return picture?.time === timeUs ? picture.url : null;
}

function usePictures(sensor: SheetsSensor, enabled: boolean) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['pictures', sensor._id],
    enabled,
    staleTime: PICTURES_GOOD_MS,
    queryFn: () => api.call(getSensorPictures, { params: { mission: sensor.missionId, sensor: sensor._id } }),
  });
  return data ?? [];
}
