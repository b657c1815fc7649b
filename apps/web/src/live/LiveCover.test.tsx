// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { liveSensorOf } from '../testing/platforms.ts';
import { LiveCover } from './LiveCover.tsx';
import { NOTHING_PLAYING } from './playing.ts';
import type { LivePlayback } from './useLivePlayback.ts';

afterEach(cleanup);

type Fields = Partial<Omit<LivePlayback, 'modes'>> & { sensor?: Parameters<typeof liveSensorOf>[0] };

function show({ sensor = {}, ...fields }: Fields) {
  const playback = {
    ...{ phase: 'connecting', said: null, again: () => undefined, playing: { current: NOTHING_PLAYING } },
    modes: { mode: 'webRtc', hopeless: null },
    ...fields,
  } as LivePlayback;
  render(<LiveCover sensor={liveSensorOf(sensor)} playback={playback} />);
}

it('explains to a new viewer that the next key frame is awaited, and nothing once a picture is there', () => {
  show({ phase: 'waiting' });
  expect(screen.getByRole('status').textContent).toBe('Waiting for the next key frame');

  cleanup();
  show({ phase: 'playing' });
  expect(screen.queryByRole('status')).toBeNull();
});

it('says that it connects before the server has answered', () => {
  show({ phase: 'connecting' });

  expect(screen.getByRole('status').textContent).toBe('Connecting');
});

it('says that a stream is just beginning, which is no failure', () => {
  show({ phase: 'starting' });

  expect(screen.getByRole('status').textContent).toBe('The stream is starting');
});

it('says that the signal is lost rather than that a key frame is waited for', () => {
  show({ phase: 'waiting', sensor: { state: 'lost', since: Date.UTC(2026, 5, 1, 9, 12, 44) * 1000 } });

  expect(screen.getByText('Signal lost since 09:12:44 Z')).toBeDefined();
  expect(screen.queryByText('Waiting for the next key frame')).toBeNull();
});
