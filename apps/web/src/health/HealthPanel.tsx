import { mdiHeartBroken, mdiHeartOffOutline } from '@mdi/js';
import { Box, Button, Skeleton } from '@mui/material';
import { getKlvHealth, type Mission } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import type { TimelineEntry } from '../timeline/entry.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { HealthReport } from './HealthReport.tsx';
import { withDamage } from './report.ts';
import { StreamList } from './StreamList.tsx';
import { texts } from './texts.ts';

type Props = {
  mission: Mission;
  entries: readonly TimelineEntry[];
  /** Id of the sensor whose report is open; null: the first one. */
  chosen: string | null;
  onChoose: (sensorId: string) => void;
  /** Shows the picture of a sensor at a time, in the player. */
  onShow: (sensorId: string, timeUs: number) => void;
};

/** Panel that shows the quality of the recorded telemetry of each sensor, for those who operate the encoder. */
export function HealthPanel({ mission, entries, chosen, onChoose, onShow }: Props) {
  const api = useApi();
  const entry = entries.find(({ sensor }) => sensor._id === chosen) ?? entries[0];
  const sensor = entry?.sensor;
  const {
    data: known,
    isPending,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['health', sensor?._id],
    enabled: sensor !== undefined,
    queryFn: () => api.call(getKlvHealth, { params: { mission: mission._id, sensor: sensor?._id ?? '' } }),
  });

  const data = known && sensor ? withDamage(known, sensor) : known;

  return (
    <Box
      component="section"
      aria-label={texts.title}
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '240px minmax(0, 1fr)' },
        alignItems: 'start',
        minWidth: 0,
      }}
    >
      <StreamList entries={entries} chosen={sensor?._id ?? ''} onChoose={onChoose} health={data ?? null} />
      {isPending && <Skeleton variant="rectangular" height={320} aria-label={texts.loading} />}
      {isError && (
        <Notice failed icon={mdiHeartBroken} title={texts.failed} text={texts.notYet}>
          <Button onClick={() => refetch()}>{texts.tryAgain}</Button>
        </Notice>
      )}
      {data && sensor && data.sets === 0 && (
        <Notice icon={mdiHeartOffOutline} title={texts.noKlv} text={data.findings[0]?.text ?? texts.noKlvText} />
      )}
      {data && sensor && data.sets > 0 && (
        <HealthReport
          key={sensor._id}
          mission={mission}
          sensor={sensor}
          health={data}
          onShow={(timeUs) => onShow(sensor._id, timeUs)}
        />
      )}
    </Box>
  );
}
