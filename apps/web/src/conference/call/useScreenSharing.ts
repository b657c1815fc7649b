import { type Classification, classificationRank } from '@osprey/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fill } from '../../base/format.ts';
import { receiveLabels } from '../label-channel.ts';
import type { Call } from './call.ts';
import { openScreen } from './devices.ts';
import { texts } from './texts.ts';

const words = texts.sharing;

/**
 * Shares the screen as one of the tracks of a call. Sharing ends when a page of this site in the same browser shows a
 * label higher than that of the room.
 */
export function useScreenSharing(call: Call, label: Classification, onWord: (text: string) => void) {
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [highest, setHighest] = useState<Classification>('UNCLASSIFIED');
  const shared = useRef<MediaStreamTrack | null>(null);
  const tooHigh = classificationRank(highest) > classificationRank(label);

  useEffect(() => receiveLabels(setHighest), []);

  const end = useCallback(() => {
    shared.current?.stop();
    shared.current = null;
    setTrack(null);
    call.setTracks({ screen: null });
  }, [call]);

  useEffect(() => {
    if (!tooHigh || track === null) return;
    end();
    onWord(fill(words.ended, { label: highest, room: label }));
  }, [tooHigh, track, end, highest, label, onWord]);

  useEffect(() => () => shared.current?.stop(), []);

  async function begin(): Promise<void> {
    const { track: opened, failure } = await openScreen();
    if (failure !== null) onWord(failure);
    if (opened === null) return;
    // The browser itself also has a button that stops sharing.
    opened.onended = end;
    shared.current = opened;
    setTrack(opened);
    call.setTracks({ screen: opened });
  }

  return { track, begin, end, refusal: tooHigh ? fill(words.tooHigh, { label: highest, room: label }) : null };
}
