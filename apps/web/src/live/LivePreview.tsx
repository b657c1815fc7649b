import { Box } from '@mui/material';
import type { LivePlatform, LiveSensor } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { texts } from './texts.ts';
import { openLiveSession } from './ways/live-session.ts';
import { impossibleModes } from './ways/modes.ts';

type Props = { platform: Pick<LivePlatform, 'liveModes'>; sensor: LiveSensor };

/**
 * Small live picture of a sensor in low-latency mode, played for as long as it is rendered. Without a picture, shows
 * the reason.
 */
export function LivePreview({ platform, sensor }: Props) {
  const api = useApi();
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [started, setStarted] = useState(false);
  const refusal = refusalOf(platform, sensor);
  const { _id, name } = sensor;

  useEffect(() => {
    const element = video.current;
    if (!element || refusal !== null) return;
    const session = openLiveSession({
      api,
      video: element,
      sensorId: _id,
      mode: 'lowLatency',
      behindS: 0,
      isPaused: () => false,
      onConnected: () => undefined,
      onProblem: (found) => setProblem(found.kind === 'impossible' ? found.reason : texts.reconnecting),
      onArrived: () => undefined,
      onMessage: (message) => message.kind === 'end' && setProblem(message.text),
    });
    return session.end;
  }, [api, _id, refusal]);

  const notice = refusal ?? problem ?? (started ? null : texts.waiting);
  return (
    <Box sx={{ position: 'relative', width: '100%', height: '100%', minHeight: 60, bgcolor: '#000', color: '#F2F5F9' }}>
      <video
        ref={video}
        muted
        playsInline
        aria-label={fill(texts.preview, { name })}
        tabIndex={-1}
        onLoadedData={() => setStarted(true)}
        style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', objectFit: 'contain' }}
      />
      {notice !== null && (
        <Box
          role="status"
          sx={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center', p: 2, fontSize: 12 }}
        >
          {notice}
        </Box>
      )}
    </Box>
  );
}

function refusalOf({ liveModes }: Props['platform'], sensor: LiveSensor): string | null {
  if (!liveModes.includes('Preview')) return texts.noPreview;
  if (sensor.state !== 'online') return texts.previewNeeds;
  return impossibleModes(sensor).lowLatency ?? null;
}
