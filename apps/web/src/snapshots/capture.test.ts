// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { pictureOnScreen } from './capture.ts';

const SENSOR = '0d4a6b0e-4f1c-4f44-9a7f-0d6ad9f2a001';

// jsdom has none.
vi.stubGlobal('CSS', { escape: (text: string) => text });

afterEach(() => {
  document.body.innerHTML = '';
  vi.restoreAllMocks();
});

/** The player of a sensor that shows a picture of this size. */
function player(width: number, height: number, readyState: number = HTMLMediaElement.HAVE_CURRENT_DATA): void {
  document.body.innerHTML = `<div data-sensor-id="${SENSOR}"><video></video></div>`;
  const video = document.querySelector('video')!;
  for (const [name, value] of Object.entries({ videoWidth: width, videoHeight: height, readyState })) {
    Object.defineProperty(video, name, { value });
  }
}

/** A browser whose JPEG takes a byte for each pixel. */
function coder() {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  return vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockImplementation(function (this: HTMLCanvasElement) {
    return `data:image/jpeg;base64,${'A'.repeat(this.width * this.height)}`;
  });
}

it('S2-419 sends the picture on screen as JPEG of quality 0.8, in its own size', () => {
  player(640, 360);
  const coded = coder();

  expect(pictureOnScreen(SENSOR)).toHaveLength('data:image/jpeg;base64,'.length + 640 * 360);
  expect(coded.mock.calls).toEqual([['image/jpeg', 0.8]]);
});

it('makes a picture smaller that has too many bytes for the call', () => {
  player(3840, 2160);
  const coded = coder();

  expect(pictureOnScreen(SENSOR)!.length).toBeLessThan(7 * 2 ** 20);
  expect(coded.mock.calls.every(([type, quality]) => type === 'image/jpeg' && quality === 0.8)).toBe(true);
});

it('has none where the player shows none', () => {
  coder();

  expect(pictureOnScreen(SENSOR)).toBeNull();
  player(640, 360, HTMLMediaElement.HAVE_METADATA);
  expect(pictureOnScreen(SENSOR)).toBeNull();
});
