import { mdiMovieOpenPlayOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { getSnapshotMoment } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useApi } from '../api/api.ts';
import { fill, formatClockMs, formatDate, plainText } from '../base/format.ts';
import { momentAddress } from '../base/moment-address.ts';
import { errorText } from '../base/transport-error.ts';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';

const words = texts.moment;

/** Shows which frame a snapshot shows, with a link to it. */
export function Moment({ documentId }: { documentId: string }) {
  const api = useApi();
  const { data, error } = useQuery({
    // The response also names a mission, so the key allows it to be dropped when access to either item is lost.
    queryKey: ['moments', documentId],
    queryFn: ({ signal }) => api.call(getSnapshotMoment, { params: { id: documentId } }, { signal }),
    // Always read again, since the clock of the sensor may have been set to a different reading.
    staleTime: 0,
  });
  if (error) return <Row>{fill(words.failed, { text: errorText(error) })}</Row>;
  if (data === undefined) return <Row> </Row>;
  const { mission, sensor, time, shown, picture, overlaysSha256 } = data;
  const place = mission
    ? fill(words.place, { sensor: plainText(sensor.name), mission: plainText(mission.name) })
    : plainText(sensor.name);
  return (
    <Row>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{place}</Box>
        <Box sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {fill(words.zulu, { date: formatDate(time), clock: formatClockMs(time) })}
        </Box>
        <Box sx={{ color: picture === 'browser' ? 'warning.main' : 'text.secondary' }}>{words.pictures[picture]}</Box>
        {overlaysSha256 !== null && <Box sx={{ color: 'warning.main' }}>{words.overlays}</Box>}
        {mission && !shown && <Box sx={{ color: 'text.secondary' }}>{words.gone}</Box>}
      </Box>
      {mission && shown && (
        <Button
          component={Link}
          to={momentAddress(mission._id, sensor._id, time)}
          startIcon={<Icon path={mdiMovieOpenPlayOutline} />}
        >
          {words.open}
        </Button>
      )}
    </Row>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <Box
    role="region"
    aria-label={words.label}
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: 3,
      px: 3,
      py: 2,
      borderTop: 1,
      borderColor: 'divider',
      fontSize: 12,
      minHeight: 64,
    }}
  >
    {children}
  </Box>
);
