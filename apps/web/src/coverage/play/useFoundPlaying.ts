import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { missionQuery, openAhead } from '../../player/open-queries.ts';
import { REPLACE_NOW } from '../../ui/at-once.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { addressOfSpan } from '../span-address.ts';
import { endPlaying, type PlayedSpan, type PlayList, playList } from './play-list.ts';
import { texts } from './texts.ts';

/** Maximum time in microseconds between the beginning of a recording's last picture and the end of the recording. */
const LAST_PICTURE_US = 200_000;

type Step = 1 | -1;

/** Plays the current span of a list in the view of its mission, and moves to the next span when its end has passed. */
export function useFoundPlaying(list: PlayList) {
  const { clock, firstFrame } = useViewServices();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { show } = useSnackbar();
  const isGoing = useRef(false);
  const hasPicture = useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
  const span = list.spans[list.at]!;

  async function go(step: Step) {
    if (isGoing.current || list.spans[list.at + step] === undefined) return;
    isGoing.current = true;
    try {
      const next = await readable(list, step);
      // The user has ended playing in the meantime, or gone elsewhere.
      if (playList.get() !== list) return;
      if (next === null) return show(texts.gone, 'warning');
      if (next.spans.length < list.spans.length) show(texts.gone, 'warning');
      arrive(next);
    } catch (error) {
      show(fill(texts.failed, { text: errorText(error) }), 'error');
    } finally {
      isGoing.current = false;
    }
  }

  /**
   * Returns the list at the next span whose mission can be read, without the spans in between; null if there is none.
   */
  async function readable(from: PlayList, step: Step): Promise<PlayList | null> {
    let { spans, at } = from;
    for (;;) {
      const next = spans[at + step];
      if (next === undefined) return null;
      if (next.missionId === span.missionId || (await mayRead(next))) return { ...from, spans, at: at + step };
      const retained = spans.filter(({ missionId }) => missionId !== next.missionId);
      at = retained.indexOf(spans[at]!);
      spans = retained;
    }
  }

  async function mayRead({ missionId, sensorId, first }: PlayedSpan): Promise<boolean> {
    try {
      await queries.fetchQuery(missionQuery(api, missionId));
    } catch (error) {
      if (isCode(error, 'notFound')) return false;
      throw error;
    }
    // A failure here is ignored, since the view repeats the request and reports the failure.
    openAhead({ api, queries }, { missionId, sensorId, timeUs: first }).catch(() => undefined);
    return true;
  }

  function arrive(next: PlayList) {
    const to = next.spans[next.at]!;
    // Before the view of another mission opens, the list must be at its span: that view ends a list that plays
    // elsewhere, and removes the mark of the place.
    if (to.missionId !== span.missionId) playList.set(next);
    // All spans share one history entry, so that Back returns to the page where they were found. REPLACE_NOW renders the
    // new address immediately, since a sensor must be on screen before it can lead.
    void navigate(addressOfSpan(to), REPLACE_NOW);
    if (to.missionId !== span.missionId) return;
    clock.lead(to.sensorId);
    clock.seek(to.first);
    playList.set(next);
  }

  const pass = useEffectEvent(() => {
    if (list.at + 1 < list.spans.length) return void go(1);
    clock.pause();
    show(texts.last, 'info');
  });

  useEffect(() => {
    if (!hasPicture) return;
    const stop = clock.subscribe(begin);
    function begin() {
      // Playback starts once a sensor has joined the clock.
      if (clock.get().leader === null) return;
      stop();
      clock.play();
    }
    begin();
    return stop;
  }, [clock, hasPicture, span]);

  useEffect(() => {
    let before = clock.timeUs();
    const isInside = (timeUs: number) => timeUs >= span.first - LAST_PICTURE_US && timeUs < span.to;
    const stopTime = clock.onTime((timeUs, by) => {
      const hasPassed = by === 'playing' && isInside(before) && timeUs >= span.to;
      before = timeUs;
      // Only if playback has passed the end: a user who seeks elsewhere stays there.
      if (hasPassed) pass();
    });
    let wasPlaying = clock.get().playing;
    const stopState = clock.subscribe(() => {
      const { playing, endUs } = clock.get();
      const hasEnded = wasPlaying && !playing && clock.timeUs() >= endUs - LAST_PICTURE_US;
      wasPlaying = playing;
      // The span lasts until the end of a whole second, but the recording ends before that.
      if (hasEnded && isInside(clock.timeUs())) pass();
    });
    return () => {
      stopTime();
      stopState();
    };
  }, [clock, span]);

  return { go, end: endPlaying };
}
