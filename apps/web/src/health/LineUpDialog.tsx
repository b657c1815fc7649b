import { Box, Button, Slider, Stack, Typography } from '@mui/material';
import type { Mission, Sensor } from '@osprey/contract';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { microsecondsOf, signedSeconds } from '../base/seconds.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { barOf, type LineUp, meets, type Sidecar, slideOf, slideShare } from './line-up.ts';
import { texts } from './texts.ts';
import { useSidecar } from './useSidecar.ts';

type Props = { mission: Mission; sensor: Sensor; sidecar: Sidecar; lineUp: LineUp; onClose: () => void };

const words = texts.lineUp;

/**
 * Dialog that shifts a telemetry file relative to the video. For a file that does not overlap the video, the start of
 * the video is proposed.
 */
export function LineUpDialog({ mission, sensor, sidecar, lineUp, onClose }: Props) {
  const { name } = sidecar;
  const first = signedSeconds(meets(lineUp, lineUp.beginsUs) ? lineUp.beginsUs : 0);
  const [begins, setBegins] = useState(first);
  const [busy, setBusy] = useState(false);
  const change = useSidecar(sensor, sidecar);
  const beginsUs = microsecondsOf(begins);
  const offset = beginsUs === null ? null : Math.round(beginsUs - lineUp.saysUs);

  async function submit() {
    if (offset === null || busy) return;
    if (offset === sidecar.offset) return onClose();
    setBusy(true);
    if (await change({ offset })) onClose();
    else setBusy(false);
  }

  return (
    <FormDialog
      title={fill(words.title, { name })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      width={560}
      dirty={begins !== first}
      onClose={onClose}
      onSubmit={() => void submit()}
      aside={
        sidecar.offset !== 0 && (
          <Button variant="text" onClick={() => setBegins(signedSeconds(lineUp.saysUs))}>
            {words.asSaid}
          </Button>
        )
      }
      submitLabel={words.submit}
      canSubmit={offset !== null && !busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.lead}
        </Typography>
        <Slide lineUp={lineUp} beginsUs={beginsUs} onSlide={(us) => setBegins(signedSeconds(us))} />
        <Field
          label={words.begins}
          value={begins}
          help={words.help}
          problem={beginsUs === null ? words.problem : undefined}
          onChange={(event) => setBegins(event.target.value)}
          onFocus={(event) => event.target.select()}
          slotProps={{ htmlInput: { maxLength: 20, inputMode: 'decimal' } }}
        />
        <Box aria-live="polite" sx={{ color: 'text.secondary' }}>
          {beginsUs !== null && !meets(lineUp, beginsUs) && <div>{words.misses}</div>}
          {offset !== null && <div>{fill(words.offset, { seconds: signedSeconds(offset) })}</div>}
        </Box>
      </Stack>
    </FormDialog>
  );
}

type SlideProps = { lineUp: LineUp; beginsUs: number | null; onSlide: (us: number) => void };

/** Width of the name before a bar in pixels; below, the space after it. */
const NAME_PX = 72;
const AFTER_NAME_PX = 8;

/**
 * Shows the video and, below it, the file at its new place. The thumb of the slider is below the beginning of the file.
 */
function Slide({ lineUp, beginsUs, onSlide }: SlideProps) {
  const { min, max, step } = slideOf(lineUp);
  const value = Math.min(max, Math.max(min, (beginsUs ?? 0) / 1e6));
  return (
    <Box>
      <Bar name={words.video} colour="surface.lineStrong" {...barOf(lineUp, 0, lineUp.videoUs)} />
      <Bar name={words.telemetry} colour="primary.main" {...barOf(lineUp, value * 1e6, lineUp.telemetryUs)} />
      <Box sx={{ ml: `${NAME_PX + AFTER_NAME_PX}px` }}>
        <Slider
          sx={{ width: `${slideShare(lineUp)}%` }}
          size="small"
          aria-label={words.slider}
          min={min}
          max={max}
          step={step}
          value={value}
          getAriaValueText={(seconds) => fill(words.seconds, { seconds: signedSeconds(Math.round(seconds * 1e6)) })}
          onChange={(_event, next) => onSlide(Math.round(Number(next) * 1e6))}
        />
      </Box>
    </Box>
  );
}

type BarProps = { name: string; colour: string; left: number; width: number };

function Bar({ name, colour, left, width }: BarProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: `${AFTER_NAME_PX}px`, fontSize: 12, mb: 1 }}>
      <Box sx={{ width: NAME_PX, flex: 'none', color: 'text.secondary' }}>{name}</Box>
      <Box
        sx={{
          position: 'relative',
          flex: 1,
          height: 12,
          borderRadius: 1,
          bgcolor: 'surface.panel',
          border: 1,
          borderColor: 'surface.line',
        }}
      >
        <Box
          sx={{ position: 'absolute', top: 0, bottom: 0, borderRadius: 1, minWidth: 2, bgcolor: colour }}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      </Box>
    </Box>
  );
}
