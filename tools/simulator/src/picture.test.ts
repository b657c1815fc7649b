import { homography } from '@osprey/geo';
import { describe, expect, it } from 'vitest';
import { makeModel } from './model.ts';
import type { SimulationOptions } from './options.ts';
import { createPicture, type Picture } from './picture.ts';
import { makeRenderer } from './renderer.ts';
import { resolveOptions } from './resolve-options.ts';
import { targetsIn } from './targets.ts';

function drawn(options: SimulationOptions, second: number) {
  const resolved = resolveOptions(options);
  const model = makeModel(resolved);
  const moment = model.at(resolved.startUs + second * 1e6);
  const picture = createPicture(resolved.width, resolved.height, resolved.spectrum === 'EO');
  makeRenderer(resolved, model).render(picture, moment, 0);
  return { resolved, moment, picture };
}

const at = (plane: Uint8Array, { width }: Picture, x: number, y: number) => plane[(y >> 1) * (width >> 1) + (x >> 1)]!;

describe('the drawn picture', () => {
  it('shows the red cargo ship inside of its target box and nowhere else', () => {
    const { resolved, moment, picture } = drawn({ ships: 1, overlay: false, width: 1280, height: 720 }, 2);
    const [target] = targetsIn(resolved, moment);
    const [topLeft, bottomRight] = [target!['2'] - 1, target!['3'] - 1];
    const [left, top] = [topLeft % 1280, Math.floor(topLeft / 1280)];
    const [right, bottom] = [bottomRight % 1280, Math.floor(bottomRight / 1280)];

    let [inside, outside] = [0, 0];
    for (let y = 0; y < 690; y += 2) {
      for (let x = 0; x < 1280; x += 2) {
        if (at(picture.red, picture, x, y) < 138) continue;
        const isInside = x >= left - 2 && x <= right + 2 && y >= top - 2 && y <= bottom + 2;
        if (isInside) inside += 1;
        else outside += 1;
      }
    }

    expect(inside).toBeGreaterThan(((right - left) * (bottom - top)) / 40);
    expect(outside).toBe(0);
  });

  it('draws grid lines along whole thousandths of a degree', () => {
    const { resolved, moment, picture } = drawn({ ships: 0 }, 48);
    const { picture: plain } = drawn({ ships: 0, overlay: false }, 48);
    const map = homography(moment.corners)!;
    const lat = (Math.round(moment.centre.lat * 1000) + 1) / 1000;

    let [onLine, beside, count] = [0, 0, 0];
    for (let share = 0.15; share < 0.85; share += 0.01) {
      const near = map.toGround(share, 0.5);
      const pixel = map.toImage({ lon: near.lon, lat })!;
      const [x, y] = [Math.floor(pixel.x * resolved.width), Math.floor(pixel.y * resolved.height)];
      // Clear of the text and the crosshair.
      if (x < 8 || x > 631 || y < 40 || y > 290 || (Math.abs(y - 180) < 40 && Math.abs(x - 320) < 40)) continue;
      const lift = (dx: number, dy: number) =>
        picture.luma[(y + dy) * 640 + x + dx]! - plain.luma[(y + dy) * 640 + x + dx]!;
      onLine += Math.max(lift(0, -1), lift(0, 0), lift(0, 1), lift(1, 0), lift(-1, 0));
      beside += lift(4, 6);
      count += 1;
    }

    expect(count).toBeGreaterThan(10);
    expect(onLine / count).toBeGreaterThan(6);
    expect(beside / count).toBeLessThan(3);
  });

  it('has land where the coast has it, and only sea elsewhere', () => {
    const { picture } = drawn({ ships: 0, overlay: false }, 0);
    const { picture: openSea } = drawn({ ships: 0, overlay: false, origin: [-30, 20] }, 0);
    const warm = ({ red }: Picture) => red.reduce((count, value) => count + (value > 130 ? 1 : 0), 0) / red.length;

    expect(warm(picture)).toBeGreaterThan(0.1);
    expect(warm(openSea)).toBe(0);
  });

  it('is grey in the infrared, with ships brighter than the sea', () => {
    const { moment, picture } = drawn({ sensor: 2, ships: 2, overlay: false }, 22);
    const pixel = moment.camera.toImage({ ...moment.ships[1]!.point, heightM: 12 })!;
    const [x, y] = [Math.floor(pixel.x * 640), Math.floor(pixel.y * 360)];

    expect(new Set([...picture.blue, ...picture.red])).toEqual(new Set([128]));
    expect(picture.luma[y * 640 + x]).toBeGreaterThan(120);
    expect(picture.luma[20 * 640 + 20]).toBeLessThan(110);
  });
});
