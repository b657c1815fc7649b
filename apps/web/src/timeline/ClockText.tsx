import { Box, Button, ButtonBase, Popover, TextField, Tooltip } from '@mui/material';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { fill, formatClock, formatDate, formatLocalTime } from '../base/format.ts';
import { unseen } from '../base/sizes.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { setText } from '../onscreen/set-text.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { clockParts, readMoment } from './scale.ts';
import { texts } from './texts.ts';

/** Time of the mission clock; clicking it lets the user type a time to go to. */
export function ClockText({ compact }: { compact: boolean }) {
  const { clock } = useViewServices();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [local, setLocal] = useState('');
  const seconds = useRef<HTMLSpanElement>(null);
  const rest = useRef<HTMLSpanElement>(null);
  const date = useRef<HTMLSpanElement>(null);

  const { startUs, endUs } = useClockState(clock);
  const recorded = endUs > startUs;

  useEffect(() => {
    const notify = (timeUs: number) => {
      if (!recorded) {
        setText(seconds.current, texts.noTime);
        return;
      }
      const [clockText, hundredths] = clockParts(timeUs);
      setText(seconds.current, clockText);
      setText(rest.current, hundredths);
      setText(date.current, formatDate(timeUs));
    };
    notify(clock.timeUs());
    return clock.onTime(notify);
  }, [clock, recorded]);

  return (
    <>
      <Tooltip describeChild title={local} onOpen={() => setLocal(formatLocalTime(clock.timeUs()))}>
        <ButtonBase
          disabled={!recorded}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ gap: 3, borderRadius: 1, px: 1, height: 32, textAlign: 'left', whiteSpace: 'nowrap' }}
        >
          <span style={unseen}>{texts.goTo}</span>
          <Box component="span" data-part="mission-clock" sx={{ fontSize: 20, fontWeight: 600 }}>
            <span ref={seconds} />
            <Box component="span" sx={{ fontSize: 13, fontWeight: 400, color: 'text.secondary' }}>
              <span ref={rest} hidden={compact} /> Z
            </Box>
          </Box>
          <Box
            component="span"
            ref={date}
            data-part="mission-date"
            sx={{ fontSize: 12, color: 'text.secondary', display: compact ? 'none' : { xs: 'none', lg: 'inline' } }}
          />
        </ButtonBase>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': texts.goTo } }}
      >
        <GoToForm onDone={() => setAnchor(null)} />
      </Popover>
    </>
  );
}

function GoToForm({ onDone }: { onDone: () => void }) {
  const { clock } = useViewServices();
  const [text, setText] = useState(() => formatClock(clock.timeUs()));
  const [problem, setProblem] = useState<string | null>(null);

  function go(event: FormEvent) {
    event.preventDefault();
    const moment = readMoment(text, clock.timeUs());
    const { startUs, endUs } = clock.get();
    if (moment === null) return setProblem(texts.goToWrong);
    // A tolerance of one second, since typed times may be whole seconds while the first and last moment may have a
    // fraction.
    if (moment < startUs - 1e6 || moment > endUs + 1e6) {
      const [start, end] = [startUs, endUs].map((one) => `${formatDate(one)} ${formatClock(one)} Z`);
      return setProblem(fill(texts.goToOutside, { start: start ?? '', end: end ?? '' }));
    }
    clock.seek(moment);
    onDone();
  }

  return (
    <Box component="form" onSubmit={go} sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', p: 3, width: 320 }}>
      <TextField
        label={texts.goToLabel}
        value={text}
        autoFocus
        fullWidth
        error={problem !== null}
        helperText={problem ?? texts.goToHelp}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" sx={{ mt: 5 }}>
        {texts.go}
      </Button>
    </Box>
  );
}
