import { Box, Button, CircularProgress, Typography } from '@mui/material';
import type { SourceTested } from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { texts as platforms } from '../texts.ts';
import { texts } from './texts.ts';
import { type TestedAddress, useSourceTest } from './useSourceTest.ts';

type Props = {
  sensorName: string;
  address: TestedAddress;
  /** Called with the name that the telemetry of the address states. */
  onName: (name: string) => void;
};

const { test } = texts;
const { stream } = platforms;

/** Button that shows the first picture of an address, or the reason why there is none, before anything is saved. */
export function SourceTest({ sensorName, address, onName }: Props) {
  const { state, start, stop } = useSourceTest(address, ({ name }) => {
    if (name !== null) onName(name);
  });
  const isWaiting = state.kind === 'waiting';
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 3, minHeight: 32 }}>
      <Button
        variant="outlined"
        disabled={address.url === ''}
        aria-label={fill(isWaiting ? test.stopLabel : test.startLabel, { name: sensorName })}
        onClick={isWaiting ? stop : () => void start()}
      >
        {isWaiting ? test.stop : test.start}
      </Button>
      <Box role="status" sx={{ flex: '1 1 220px', minWidth: 0, alignSelf: 'center' }}>
        {state.kind === 'idle' && <Quiet text={test.help} />}
        {isWaiting && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
            <CircularProgress size={16} aria-hidden />
            <Quiet text={test.waiting} />
          </Box>
        )}
        {state.kind === 'refused' && <Fault text={state.text} />}
        {state.kind === 'tested' && <Result tested={state.tested} sensorName={sensorName} />}
      </Box>
    </Box>
  );
}

function Result({ tested, sensorName }: { tested: SourceTested; sensorName: string }) {
  const { picture, problem, name, mark, video, klv } = tested;
  const facts = [
    name ?? (klv ? test.noName : null),
    video && fill(stream.picture, { codec: stream.codecs[video.codec], width: video.width, height: video.height }),
    klv ? test.klv : test.noKlv,
  ];
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      {picture !== null && (
        <Box
          component="img"
          src={`data:image/jpeg;base64,${picture}`}
          alt={fill(test.picture, { name: sensorName })}
          sx={{ width: 240, maxWidth: '100%', aspectRatio: '16 / 9', objectFit: 'contain', bgcolor: 'common.black' }}
        />
      )}
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {problem !== null && <Fault text={problem} />}
        {picture !== null &&
          facts.map(
            (fact) =>
              fact !== null && (
                <Typography key={fact} variant="body2">
                  {fact}
                </Typography>
              ),
          )}
        {mark !== null && <ShownMark label={mark} />}
      </Box>
    </Box>
  );
}

const Quiet = ({ text }: { text: string }) => (
  <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
    {text}
  </Typography>
);

const Fault = ({ text }: { text: string }) => (
  <Typography variant="body2" sx={{ color: 'error.main', overflowWrap: 'anywhere' }}>
    {text}
  </Typography>
);
