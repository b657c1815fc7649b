import {
  mdiAlertCircleOutline,
  mdiFileAlertOutline,
  mdiFilmstripOff,
  mdiProgressClock,
  mdiRecordCircleOutline,
  mdiVideoOffOutline,
} from '@mdi/js';
import { Button, LinearProgress } from '@mui/material';
import type { Sensor } from '@osprey/contract';
import { Link } from 'react-router';
import { fill } from '../base/format.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { Cover } from './Cover.tsx';
import { damageOf } from './damage.ts';
import type { SourceFailure } from './hls/hls-recovery.ts';
import { texts } from './texts.ts';

type Props = {
  sensor: Sensor;
  timelineFailed: boolean;
  failure: SourceFailure | null;
  covered: boolean;
  started: boolean;
  /** A picture was shown before, and the next one has not arrived yet. */
  waiting: boolean;
  /** Id of the platform whose flight is being recorded now, if any. */
  flying: string | null;
  retry: () => void;
};

/** Notice over the picture if there is none, or none at this moment. */
export function PlayerCover(props: Props) {
  const content = coverOf(props);
  if (!content) return null;
  return <Cover overPicture={props.started}>{content}</Cover>;
}

function coverOf({ sensor, timelineFailed, failure, covered, started, waiting, flying, retry }: Props) {
  // Damage elsewhere in the recording is not relevant at this moment.
  if (failure && (failure !== 'broken' || covered)) {
    return <FailureNotice failure={failure} sensor={sensor} retry={retry} />;
  }
  if (!sensor.hlsProps) return <UnplayableNotice sensor={sensor} flying={flying} />;
  if (timelineFailed) return <Notice failed icon={mdiAlertCircleOutline} title={texts.timelineFailed} />;
  if (!covered) return <Notice icon={mdiFilmstripOff} title={texts.notCovered} />;
  if (!started || waiting) return <LinearProgress aria-label={texts.loading} sx={{ width: 160 }} />;
  return null;
}

/** Notice that explains why there is no picture yet, or none at all. */
export function UnplayableNotice({ sensor, flying }: Pick<Props, 'sensor' | 'flying'>) {
  if (sensor.state === 'Ready' && sensor.assets.length > 0 && sensor.assets.every(({ kind }) => kind === 'ais')) {
    return <Notice icon={mdiVideoOffOutline} title={texts.shipsAlone} text={sensor.message ?? texts.shipsAloneText} />;
  }
  if (sensor.message !== null) {
    return <Notice failed icon={mdiVideoOffOutline} title={texts.failed} text={sensor.message} />;
  }
  if (sensor.state === 'Running') {
    return (
      <Notice icon={mdiRecordCircleOutline} title={texts.recorded} text={texts.recordedText}>
        {flying !== null && (
          <Button component={Link} to={`/live?platforms=${flying}`}>
            {texts.watchLive}
          </Button>
        )}
      </Notice>
    );
  }
  if (sensor.assets.length === 0) return <Notice icon={mdiFilmstripOff} title={texts.empty} text={texts.emptyText} />;
  if (sensor.state === 'Ready')
    return <Notice icon={mdiVideoOffOutline} title={texts.noPicture} text={texts.noPictureText} />;
  const percent = sensor.progress === null ? null : Math.round(sensor.progress);
  const text = percent === null ? texts.processingNoPercent : fill(texts.processingText, { percent });
  return (
    <Notice icon={mdiProgressClock} title={texts.processing} text={text}>
      <LinearProgress
        aria-label={texts.processing}
        {...(percent === null ? {} : { variant: 'determinate', value: percent })}
        sx={{ width: 160 }}
      />
    </Notice>
  );
}

const failureTexts = {
  network: [texts.network, texts.networkText],
  gone: [texts.gone, texts.goneText],
  unsupported: [texts.unsupported, texts.unsupportedText],
  broken: [texts.broken, texts.brokenText],
} as const;

function FailureNotice({ failure, sensor, retry }: { failure: SourceFailure; sensor: Sensor; retry: () => void }) {
  const damage = failure === 'unsupported' ? null : damageOf(sensor);
  if (damage !== null) {
    return (
      <Notice failed icon={mdiFileAlertOutline} title={texts.damaged} text={damage}>
        <Button onClick={retry}>{texts.tryAgain}</Button>
      </Notice>
    );
  }
  const [title, text] = failureTexts[failure];
  const codec = sensor.hlsProps?.renditions[0]?.codec ?? texts.thisVideo;
  return (
    <Notice failed icon={mdiVideoOffOutline} title={fill(title, { codec })} text={text}>
      {(failure === 'network' || failure === 'broken') && <Button onClick={retry}>{texts.tryAgain}</Button>}
    </Notice>
  );
}
