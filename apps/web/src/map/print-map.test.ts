// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { offerPrint } from './print-map.ts';

it('lays a copy of the map over it while the page is printed, until the map is gone', () => {
  const frame = document.createElement('div');
  const canvas = frame.appendChild(document.createElement('canvas'));
  canvas.width = 640;
  const redraw = vi.fn();
  let remove: () => void = () => undefined;
  offerPrint({
    getCanvas: () => canvas,
    redraw,
    once: ((_name: string, listener: () => void) => {
      remove = listener;
    }) as never,
  });

  fireEvent(window, new Event('beforeprint'));
  expect(redraw).toHaveBeenCalledOnce();
  expect([...frame.children].map((one) => (one as HTMLCanvasElement).width)).toEqual([640, 640]);
  fireEvent(window, new Event('afterprint'));
  expect(frame.childElementCount).toBe(1);
  remove();
  fireEvent(window, new Event('beforeprint'));
  expect(frame.childElementCount).toBe(1);
});
