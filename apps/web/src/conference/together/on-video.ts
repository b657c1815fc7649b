import type { GuestPicture, PictureGuest } from '../../player/picture/guest.ts';
import { inPicture } from '../../player/picture/picture.ts';
import { pointerMarks } from './pointer-mark.ts';
import { ownPointer, pointers } from './shared.ts';

/** Draws the pointers of other users in a picture, and sends the pointer of this page. */
export const pointersOnVideo: PictureGuest = { start: startOnVideo };

function startOnVideo({ svg, sensorId, rect }: GuestPicture) {
  const marks = pointerMarks(svg);
  const player = svg.parentElement;

  function draw(): void {
    const { left, top, width, height } = rect();
    marks.draw(
      pointers
        .get()
        .flatMap(({ by, at }) =>
          at.on === 'picture' && at.sensor === sensorId ? [{ by, x: left + at.x * width, y: top + at.y * height }] : [],
        ),
    );
  }

  function onMove({ clientX, clientY }: PointerEvent): void {
    const point = ownPointer.get();
    if (point === null) return;
    const box = svg.getBoundingClientRect();
    const share = inPicture(rect(), clientX - box.left, clientY - box.top);
    const places = (value: number) => Number(value.toFixed(4));
    point(share && { on: 'picture', sensor: sensorId, x: places(share.x), y: places(share.y) });
  }

  const onLeave = () => ownPointer.get()?.(null);
  player?.addEventListener('pointermove', onMove);
  player?.addEventListener('pointerleave', onLeave);
  const unsubscribe = pointers.subscribe(draw);
  draw();
  return {
    draw,
    stop() {
      player?.removeEventListener('pointermove', onMove);
      player?.removeEventListener('pointerleave', onLeave);
      unsubscribe();
      marks.stop();
    },
  };
}
