import { Alert, Box, Button, LinearProgress } from '@mui/material';
import type { HeardReceiver, PastRecording } from '@osprey/contract';
import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useApi } from '../api/api.ts';
import { useNewestPlaced } from '../api/useNewestPlaced.ts';
import { fill, formatDate } from '../base/format.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { timeOf } from '../base/time-of.ts';
import { useEvents } from '../events/events.ts';
import { MapPane } from '../map/MapPane.tsx';
import { landOverlay, namesOverlay } from '../map/overlays/base-overlays.ts';
import { graticuleOverlay } from '../map/overlays/graticule-overlay.ts';
import { useSiteOverlays } from '../map/overlays/useSiteOverlays.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices, ViewServicesContext } from '../onscreen/view-services.ts';
import { isoOf } from '../ui/filter/query-filter.ts';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { nameOf, PastTimeline } from './PastTimeline.tsx';
import { platformsOverlay } from './platforms-overlay.ts';
import { silentAt } from './silent.ts';
import { texts } from './texts.ts';
import { useChosenDay } from './useChosenDay.ts';
import { usePastDay } from './usePastDay.ts';
import { DAY_US, dayOf, usePastServices } from './usePastServices.ts';
import { TIME, useTimeAddress } from './useTimeAddress.ts';

const NAMED = 3;
/**
 * Distance from the bottom of the map in px. On a narrow map the notice takes the full width, so the scale bar has to
 * fit below it.
 */
const ABOVE_SCALE = 56;

/** Map of the past: ships, platforms and annotations at any time of a day, which can be scrubbed or played. */
export function PastView({ compact }: { compact: boolean }) {
  const [query] = useSearchParams();
  const [firstUs] = useState(() => timeOf(query.get(TIME)) ?? Date.now() * 1000 - 600e6);
  const services = usePastServices(firstUs);
  return (
    <ViewServicesContext value={services}>
      <View compact={compact} />
    </ViewServicesContext>
  );
}

function View({ compact }: { compact: boolean }) {
  const { clock } = useViewServices();
  const { startUs } = useClockState(clock);
  const navigate = useNavigate();
  const day = usePastDay(startUs);
  const toDay = useChosenDay(clock, { ...day, startUs });
  const below = useRef<HTMLDivElement>(null);
  useTimeAddress(clock);
  useNextDay(clock);
  const open = ({ missionId, sensorId }: { missionId: string; sensorId: string }, timeUs: number) => {
    const address = new URLSearchParams({ mission: missionId, sensor: sensorId, t: isoOf(timeUs) });
    void navigate(`/missions?${address}`);
  };
  return (
    <Box sx={{ height: '100%', display: 'flex', flexDirection: 'column', gap: { xs: 0, sm: 2 }, minHeight: 0 }}>
      <Box sx={{ position: 'relative', flex: 1, minHeight: 160 }}>
        <PastMap onOpen={open} />
        {day.hasShips && !day.reading && <Silent receivers={day.receivers} />}
      </Box>
      <Box ref={below} sx={{ flex: 'none' }}>
        {day.reading && <LinearProgress aria-label={texts.reading} />}
        {day.error && <FailedNotice title={texts.failed} error={day.error} onRetry={day.again} />}
        <PastTimeline
          dayUs={startUs}
          receivers={day.receivers}
          recordings={day.recordings}
          compact={compact}
          onDay={toDay}
          onOpen={(recording: PastRecording) => {
            // The clock may be outside the recording.
            const timeUs = Math.min(Math.max(clock.timeUs(), recording.from), recording.to);
            open(recording, timeUs);
          }}
        />
        {!day.reading && !day.error && day.receivers.length + day.recordings.length === 0 && (
          <Box
            sx={{
              ...{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 },
              p: 3,
              bgcolor: 'surface.panel',
            }}
          >
            <Box role="status" sx={{ color: 'text.secondary' }}>
              {texts.nothing}
            </Box>
            <LastDay
              dayUs={startUs}
              onDay={(dayUs) => {
                toDay(dayUs);
                // The pressed button disappears with the empty day, so the focus moves to the timeline.
                below.current?.querySelector<HTMLElement>('[role="slider"]')?.focus();
              }}
            />
          </Box>
        )}
        {day.more && <Box sx={{ px: 3, py: 1, color: 'text.secondary' }}>{texts.more}</Box>}
      </Box>
    </Box>
  );
}

/** Button on an empty day that goes to the last day with recordings. */
function LastDay({ dayUs, onDay }: { dayUs: number; onDay: (dayUs: number) => void }) {
  const newest = useNewestPlaced();
  useShownLabels(newest === null ? [] : [newest.securityClassification]);
  const endUs = newest && (newest.endTime ?? newest.startTime);
  if (endUs === null || dayOf(endUs) === dayUs) return null;
  return (
    <Button variant="outlined" onClick={() => onDay(dayOf(endUs))}>
      {fill(texts.lastDay, { date: formatDate(endUs) })}
    </Button>
  );
}

type MapProps = { onOpen: (of: { missionId: string; sensorId: string }, timeUs: number) => void };

function PastMap({ onOpen }: MapProps) {
  const api = useApi();
  const { bus } = useEvents();
  const site = useSiteOverlays();
  const added = useContext(PageOverlays);
  const [open] = useState(() => ({ now: onOpen }));
  useEffect(() => {
    open.now = onOpen;
  });
  const platforms = useMemo(
    () => platformsOverlay({ api, bus, onOpen: (frame, timeUs) => open.now(frame, timeUs) }),
    [api, bus, open],
  );
  const overlays = useMemo(
    () => [landOverlay, namesOverlay, ...site, graticuleOverlay, platforms, ...added],
    [site, platforms, added],
  );
  return <MapPane overlays={overlays} follows={false} />;
}

/**
 * List of receivers that were not listening at the time of the clock, shown over the map so that an empty sea is not
 * mistaken for one without ships.
 */
function Silent({ receivers }: { receivers: readonly HeardReceiver[] }) {
  const { clock } = useViewServices();
  const [silent, setSilent] = useState(() => silentAt(receivers, clock.timeUs()));
  useEffect(() => {
    const updateSilent = (timeUs: number) =>
      setSilent((before) => {
        const next = silentAt(receivers, timeUs);
        return next.length === before.length && next.every((one, at) => one === before[at]) ? before : next;
      });
    updateSilent(clock.timeUs());
    return clock.onTime(updateSilent);
  }, [clock, receivers]);
  const isAll = silent.length === receivers.length;
  if (silent.length === 0 && receivers.length > 0) return null;
  const more = silent.length > NAMED ? [fill(texts.andMore, { count: String(silent.length - NAMED) })] : [];
  const names = [...silent.slice(0, NAMED).map(nameOf), ...more].join(', ');
  return (
    <Alert
      severity={isAll ? 'warning' : 'info'}
      role="status"
      sx={{
        ...{ position: 'absolute', left: '50%', bottom: ABOVE_SCALE, transform: 'translateX(-50%)', py: 0 },
        ...{ maxWidth: 'calc(100% - 32px)', width: 'max-content' },
      }}
    >
      {isAll ? texts.noReceiverAt : fill(texts.someSilent, { names })}
    </Alert>
  );
}

/** Continues playback past midnight, up to the present. */
function useNextDay(clock: MissionClock): void {
  useEffect(() => {
    let wasPlaying = clock.get().playing;
    return clock.subscribe(() => {
      const { playing, endUs } = clock.get();
      const hasEnded = wasPlaying && !playing && clock.timeUs() >= endUs;
      wasPlaying = playing;
      if (!hasEnded || endUs > Date.now() * 1000) return;
      clock.setRange({ startUs: endUs, endUs: endUs + DAY_US });
      clock.seek(endUs);
      clock.play();
    });
  }, [clock]);
}
