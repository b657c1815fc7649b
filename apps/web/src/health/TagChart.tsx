import { Box, Skeleton } from '@mui/material';
import { getTelemetry, type Mission, type Sensor } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { nameOf } from '../telemetry/values.ts';
import { Block } from './Card.tsx';
import { Curve } from './Curve.tsx';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensor: Sensor; tag: number | null; onShow: (timeUs: number) => void };

/** Number of points over the whole recording, about one per pixel. */
const POINTS = 1000;
const HEIGHT = 160;

/** Chart of one item over the recording; a double click shows the picture at that time. */
export function TagChart({ mission, sensor, tag, onShow }: Props) {
  const name = tag === null ? '' : nameOf(String(tag), 'full');
  const { data, isError, isFetching } = useCourse(mission, sensor, tag !== null);
  const column = tag === null ? undefined : data?.tags[String(tag)];
  const hasNumbers = column?.some((value) => typeof value === 'number') === true;
  return (
    <Block title={tag === null ? texts.course : fill(texts.chart, { name })}>
      <Box sx={{ minHeight: HEIGHT, p: 2, color: 'text.secondary' }}>
        {tag === null && texts.chartHint}
        {tag !== null && isFetching && <Skeleton variant="rectangular" height={HEIGHT - 16} />}
        {tag !== null && isError && <Box role="alert">{texts.chartFailed}</Box>}
        {tag !== null && data && !hasNumbers && texts.chartNone}
        {data && column && hasNumbers && (
          <Curve
            label={fill(texts.chart, { name })}
            height={HEIGHT}
            times={data.time}
            values={column.map((value) => (typeof value === 'number' ? value : null))}
            onShow={onShow}
          />
        )}
      </Box>
    </Block>
  );
}

function useCourse(mission: Mission, sensor: Sensor, enabled: boolean) {
  const api = useApi();
  const [from, to] = [sensor.startTime ?? 0, sensor.endTime ?? 0];
  const every = Math.max(1, Math.ceil((to - from) / 1000 / POINTS));
  return useQuery({
    queryKey: ['telemetry', sensor._id, 'course', every],
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      api.call(getTelemetry, {
        params: { mission: mission._id, sensor: sensor._id },
        query: { from: String(from), to: String(to), every: String(every) },
      }),
  });
}
