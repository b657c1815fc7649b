// @vitest-environment jsdom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useWaiting } from './useWaiting.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function Watched() {
  const video = useRef<HTMLVideoElement>(null);
  const waiting = useWaiting(video);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: an element that tells of events, and plays nothing. */}
      <video ref={video} />
      <p>{waiting ? 'waiting' : 'shown'}</p>
    </>
  );
}

function open() {
  const { container } = render(<Watched />);
  const video = container.querySelector('video')!;
  const later = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  return { video, later, text: () => container.querySelector('p')!.textContent };
}

it('reports a picture that is long in coming, until it comes', () => {
  const { video, later, text } = open();

  fireEvent(video, new Event('waiting'));
  later(1000);
  expect(text()).toBe('waiting');
  fireEvent(video, new Event('playing'));

  expect(text()).toBe('shown');
});

it('reports nothing that is there within a moment', () => {
  const { video, later, text } = open();

  for (let seek = 0; seek < 5; seek += 1) {
    fireEvent(video, new Event('seeking'));
    later(300);
    fireEvent(video, new Event('seeked'));
  }
  later(1000);

  expect(text()).toBe('shown');
});
