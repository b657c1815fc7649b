import { mdiAlert, mdiLanDisconnect, mdiPowerPlugOffOutline, mdiVideoOffOutline } from '@mdi/js';
import { Box, Button, LinearProgress } from '@mui/material';
import type { LiveSensor } from '@osprey/contract';
import { fill, formatClock, formatTime } from '../base/format.ts';
import { Cover } from '../player/Cover.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import type { LivePlayback } from './useLivePlayback.ts';

type Props = { sensor: LiveSensor; playback: LivePlayback };

/** Notice over a live picture that has stopped, with the reason. */
export function LiveCover({ sensor, playback }: Props) {
  const content = coverOf(sensor, playback);
  if (!content) return null;
  return <Cover overPicture={playback.playing.current.timeUs !== null}>{content}</Cover>;
}

function coverOf(sensor: LiveSensor, { phase, modes, said, again }: LivePlayback) {
  if (!sensor.on)
    return <Notice icon={mdiPowerPlugOffOutline} title={texts.switchedOff} text={texts.switchedOffText} />;
  if (sensor.state === 'offline' || sensor.state === 'unknown') {
    const text =
      sensor.since === null ? texts.offlineNever : fill(texts.offlineSince, { time: formatTime(sensor.since) });
    return <Notice icon={mdiVideoOffOutline} title={texts.offline} text={text} />;
  }
  if (sensor.state === 'lost') {
    const title = fill(texts.lost, { time: formatClock(sensor.since ?? 0) });
    return <Notice icon={mdiAlert} title={title} text={texts.lostText} />;
  }
  if (phase === 'gone') {
    return (
      <Notice failed icon={mdiVideoOffOutline} title={texts.gone} text={texts.goneText}>
        <Button onClick={again}>{ui.tryAgain}</Button>
      </Notice>
    );
  }
  if (modes.mode === 'highQualityDvr' && modes.hopeless !== null) {
    return <Notice failed icon={mdiVideoOffOutline} title={texts.unplayable} text={modes.hopeless} />;
  }
  if (phase === 'reconnecting') {
    const text = said === null ? {} : { text: fill(texts.ended, { text: said }) };
    return <Notice icon={mdiLanDisconnect} title={texts.reconnecting} {...text} />;
  }
  if (phase === 'playing') return null;
  const text = texts[phase];
  return (
    <Box role="status" sx={{ display: 'grid', justifyItems: 'center', gap: 3 }}>
      <p>{text}</p>
      <LinearProgress aria-label={text} sx={{ width: 160 }} />
    </Box>
  );
}
