// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Target } from '../../onscreen/targets.ts';
import { drawOverlay } from './overlay.ts';

const size = { width: 800, height: 450 };
/** The picture fills the width, with black above and below it. */
const rect = { left: 0, top: 25, width: 800, height: 400 };

const target = (id: number, box: Target['box'], colour: string | null = null): Target => ({
  id,
  box,
  colour,
  confidence: null,
  place: null,
  path: [],
});

it('gives the canvas no pixels where there is nothing to draw: they would be blended over each picture', () => {
  const canvas = document.createElement('canvas');

  // The second is known by its place on the ground alone.
  for (const targets of [[], [target(1, null)]]) {
    canvas.width = 800;
    drawOverlay({ canvas, size, rect, targets, chosen: null });
    expect([canvas.width, canvas.height]).toEqual([0, 0]);
  }
});

describe('a target', () => {
  /** jsdom draws nothing: the corners of each stroke, with its colour, and each text are written down. */
  class Path {
    readonly points: [number, number][] = [];
    moveTo(x: number, y: number) {
      this.points.push([x, y]);
    }
    lineTo(x: number, y: number) {
      this.points.push([x, y]);
    }
  }
  let strokes: { colour: string; points: [number, number][] }[] = [];
  let words: { text: string; colour: string; x: number; y: number }[] = [];
  const context = {
    strokeStyle: '',
    fillStyle: '',
    setTransform: () => undefined,
    clearRect: () => undefined,
    measureText: (text: string) => ({ width: 8 * text.length }),
    stroke: ({ points }: Path) => strokes.push({ colour: context.strokeStyle, points }),
    strokeText: () => undefined,
    fillText: (text: string, x: number, y: number) => words.push({ text, colour: context.fillStyle, x, y }),
  };
  const canvas = Object.assign(document.createElement('canvas'), { getContext: () => context as never });

  beforeEach(() => vi.stubGlobal('Path2D', Path));
  afterEach(() => {
    vi.unstubAllGlobals();
    strokes = [];
    words = [];
  });

  const extent = (points: [number, number][]) => {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };

  it('is drawn around its place in the picture, with its id above it', () => {
    const targets = [target(7, { left: 0.25, top: 0.5, right: 0.5, bottom: 0.75 })];

    drawOverlay({ canvas, size, rect, targets, chosen: null });

    expect(strokes.map(({ points }) => extent(points))).toEqual([
      [200, 225, 400, 325],
      [200, 225, 400, 325],
    ]);
    expect(words).toEqual([{ text: '7', colour: '#F2F5F9', x: 200, y: 220 }]);
    expect([canvas.width, canvas.height]).toEqual([800, 450]);
  });

  it('has the colour of its sender, and the one that was chosen its own', () => {
    const [left, right] = [
      target(1, { left: 0.1, top: 0.1, right: 0.2, bottom: 0.2 }, '#ff0000'),
      target(2, { left: 0.6, top: 0.1, right: 0.7, bottom: 0.2 }, '#ff0000'),
    ];

    drawOverlay({ canvas, size, rect, targets: [left, right], chosen: 2 });

    expect(words.map(({ text, colour }) => [text, colour])).toEqual([
      ['1', '#ff0000'],
      ['2', '#F5D76E'],
    ]);
    const colours = strokes.map(({ colour }) => colour).filter((colour) => !colour.startsWith('rgba'));
    expect(colours).toEqual(['#ff0000', '#F5D76E']);
  });

  it('at the upper edge has its id below it; a tiny one has a box that can be seen, about its middle', () => {
    const targets = [target(3, { left: 0.5, top: 0, right: 0.5, bottom: 0 })];

    drawOverlay({ canvas, size, rect: { left: 0, top: 0, width: 800, height: 450 }, targets, chosen: null });

    expect(extent(strokes[0]!.points)).toEqual([393, -7, 407, 7]);
    expect(words).toEqual([{ text: '3', colour: '#F2F5F9', x: 393, y: 21 }]);
  });

  it('that is partly outside the picture has its whole id inside it', () => {
    const picture = { left: 0, top: 0, width: 800, height: 450 };
    const targets = [
      target(14, { left: -0.1, top: 0.5, right: 0.1, bottom: 0.6 }),
      target(15, { left: 0.998, top: 0.9, right: 1.1, bottom: 1 }),
    ];

    drawOverlay({ canvas, size, rect: picture, targets, chosen: null });

    expect(words.map(({ x }) => x)).toEqual([2, 782]);
  });
});
