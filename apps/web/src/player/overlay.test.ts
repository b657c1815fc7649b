// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { drawOverlay } from './overlay.ts';

it('gives the canvas no pixels where there is nothing to draw: they would be blended over each picture', () => {
  const canvas = document.createElement('canvas');

  const rect = { left: 0, top: 0, width: 800, height: 450 };
  drawOverlay({ canvas, size: { width: 800, height: 450 }, rect, targets: [], chosen: null });

  expect([canvas.width, canvas.height]).toEqual([0, 0]);
});
