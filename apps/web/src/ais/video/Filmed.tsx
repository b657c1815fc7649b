import { mdiVideoOffOutline } from '@mdi/js';
import { Box, Button, ButtonBase } from '@mui/material';
import {
  type FilmedSpan,
  getFilmed,
  getSensorPictures,
  type LookbackSpan,
  missionsEvent,
  platformsEvent,
  revokedEvent,
} from '@osprey/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api.ts';
import { fill, formatTimeSeconds } from '../../base/format.ts';
import { useShownLabels } from '../../base/shown-labels.ts';
import { useServerEvent } from '../../events/events.ts';
import { nearestPicture } from '../../timeline/pictures.ts';
import { isoOf } from '../../ui/filter/query-filter.ts';
import { Icon } from '../../ui/Icon.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { filmedTexts as texts } from './filmed-texts.ts';

const FIRST = 5;
const MORE = 100;
const PICTURES_CACHE_MS = 30_000;

/** Renders one period in which something was seen, and plays it when clicked. */
export type SpanRow = ComponentType<{ span: LookbackSpan }>;

/** Shows when a ship was in the picture of a sensor: its most recent picture, and all periods, the newest first. */
export function Filmed({ mmsi, row: Row }: { mmsi: number; row: SpanRow }) {
  const api = useApi();
  const queries = useQueryClient();
  const [limit, setLimit] = useState(FIRST);
  const key = ['ais', 'filmed', mmsi];
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [...key, limit],
    queryFn: ({ signal }) =>
      api.call(getFilmed, { params: { mmsi: String(mmsi) }, query: { limit: String(limit) } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const again = () => void queries.invalidateQueries({ queryKey: key });
  useServerEvent(missionsEvent, again);
  useServerEvent(platformsEvent, again);
  useServerEvent(revokedEvent, () => void queries.resetQueries({ queryKey: key }));
  useShownLabels([data?.securityClassification ?? 'UNCLASSIFIED']);
  const [newest] = data?.spans ?? [];
  return (
    <Box component="section" aria-label={texts.title} aria-busy={isFetching}>
      <Box component="h4" sx={{ m: 0, mb: 1, fontSize: 14 }}>
        {texts.title}
      </Box>
      {error && !data && <FailedNotice title={texts.failed} error={error} onRetry={refetch} />}
      {!data && !error && <Box role="status">{texts.reading}</Box>}
      {data?.spans.length === 0 && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', color: 'text.secondary' }}>
          <Icon path={mdiVideoOffOutline} sx={{ fontSize: 18 }} />
          {texts.never}
        </Box>
      )}
      {newest && <LastPicture span={newest} />}
      <Box component="ul" sx={{ m: 0, mx: -1, p: 0, listStyle: 'none' }}>
        {data?.spans.map((span) => (
          <Row key={`${span.sensorId} ${span.to}`} span={span} />
        ))}
      </Box>
      {data?.more && limit < MORE && (
        <Button fullWidth disabled={isFetching} onClick={() => setLimit(MORE)}>
          {texts.more}
        </Button>
      )}
      {data?.more && limit === MORE && <Box sx={{ fontSize: 12 }}>{fill(texts.most, { count: String(MORE) })}</Box>}
    </Box>
  );
}

/**
 * Shows the newest preview picture of the period; a click plays the video from there. Renders nothing if there is no
 * preview picture.
 */
function LastPicture({ span }: { span: FilmedSpan }) {
  const api = useApi();
  const navigate = useNavigate();
  const { missionId, sensorId, mission, first } = span;
  const { data: pictures } = useQuery({
    queryKey: ['pictures', sensorId],
    staleTime: PICTURES_CACHE_MS,
    queryFn: () => api.call(getSensorPictures, { params: { mission: missionId, sensor: sensorId } }),
  });
  const picture = nearestPicture(pictures ?? [], first);
  if (!picture) return null;
  const address = new URLSearchParams({ mission: missionId, sensor: sensorId, t: isoOf(first) });
  const text = fill(texts.last, { mission, time: formatTimeSeconds(first) });
  return (
    <Box component="figure" sx={{ m: 0, mb: 2 }}>
      <ButtonBase
        aria-label={fill(texts.play, { last: text })}
        onClick={() => void navigate(`/missions?${address}`)}
        sx={{ width: '100%', borderRadius: 1, overflow: 'hidden', bgcolor: 'surface.base', aspectRatio: '16 / 9' }}
      >
        <img src={picture.url} alt="" style={{ width: '100%', height: '100%', objectFit: 'cover' }} />
      </ButtonBase>
      <Box component="figcaption" sx={{ fontSize: 12, color: 'text.secondary' }}>
        {text}
      </Box>
    </Box>
  );
}
