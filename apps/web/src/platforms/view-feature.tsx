import { mdiRecord } from '@mdi/js';
import { Button, Tooltip } from '@mui/material';
import { useContext } from 'react';
import { fill } from '../base/format.ts';
import type { InView, OpenLive, OpenView, ViewFeature } from '../missionview/feature.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { nowTexts as texts } from './control/now-texts.ts';
import { RecordingContext } from './control/recording.ts';

/** Feature that records the leading platform in the live view; it does nothing for a recorded mission. */
export const recordingFeature: ViewFeature = {
  id: 'recording',
  keys: [{ keys: { 'Shift R': 'recordNow' }, text: 'Record the leading platform now', only: 'live' }],
  actions: [{ group: 'marks', Button: RecordActions }],
  useInView: useRecordNow,
};

function useRecordNow(view: OpenView): InView {
  const recording = useContext(RecordingContext);
  const { show } = useSnackbar();
  if (view.view === 'mission' || recording === null) return {};

  /**
   * Records the selected sensors of the leading platform. If that is being recorded already, the leading stream is
   * added.
   */
  function recordNow({ stream, record }: OpenLive) {
    if (stream === null) return show(texts.noLeader, 'warning');
    const { platform, sensor } = stream;
    if (record === null) return show(texts.mayNot, 'warning');
    if (sensor.live) return show(fill(texts.already, { name: `${platform.name} ${sensor.name}` }), 'info');
    const readAtMs = Date.now();
    recording?.recordNow(
      platform.live ? { kind: 'sensor', ...stream, readAtMs } : { kind: 'platform', platform, readAtMs },
    );
  }
  return { commands: { recordNow: () => recordNow(view) } };
}

/** Two buttons in the bar over a stream that is not recorded, which start a recording, for users who may do so. */
function RecordActions({ view }: { view: OpenView }) {
  const commands = useContext(FeatureCommandsContext);
  if (commands === null || view.view === 'mission' || view.marked !== null || view.record === null) return null;
  return (
    <>
      <Action label={texts.toMark} icon={mdiRecord} onClick={view.record} sx={{ color: 'error.main' }} />
      <Tooltip title={texts.leading}>
        <Button
          aria-label={texts.leading}
          startIcon={<Icon path={mdiRecord} sx={{ color: 'error.main' }} />}
          onClick={() => commands.run('recordNow')}
          sx={{ flex: 'none' }}
        >
          {texts.bar}
        </Button>
      </Tooltip>
    </>
  );
}
