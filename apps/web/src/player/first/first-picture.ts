import type { Mission, Sensor } from '@osprey/contract';
import { labelColours, platformInk } from '../../base/colours.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { platformNameOf } from '../../onscreen/platform-name.ts';
import { labelBarStyle, labelStyle } from '../../ui/label/label-style.ts';
import { texts } from '../../ui/texts.ts';
import { drawOverlay } from '../picture/overlay.ts';
import { pictureRect } from '../picture/picture.ts';
import {
  barStyle,
  cutStyle,
  footStyle,
  frameStyle,
  groundStyle,
  headStyle,
  pictureStyle,
} from '../picture/picture-styles.ts';
import { placeText } from '../place-text.ts';
import type { Place } from './first-place.ts';

const ID = 'first-sight';

/** Style of the layer above the page; pointer events pass through it to the page. */
const aboveStyle = { position: 'fixed', inset: '0', zIndex: '1', pointerEvents: 'none' } as const;

type Shown = {
  place: Place;
  mission: Mission;
  sensor: Pick<Sensor, 'name'>;
  video: HTMLVideoElement;
};

/**
 * Shows a picture with its label at the place of its player, before the page is rendered. The player later removes it
 * when it shows the picture.
 */
export function showFirstPicture({ place, mission, sensor, video }: Shown) {
  const { securityClassification: label, marked } = mission;
  const background = labelColours[label].fill;
  const head = element('div', headStyle, [
    element('div', { ...barStyle, background: platformInk(mission.platform.presentation.color, 'dark') }),
    element('span', { flex: 'none', fontWeight: '600' }, [sensor.name]),
    element('span', { ...cutStyle, opacity: '0.85' }, [platformNameOf(mission)]),
    element('span', { flex: 'none' }, [
      element('span', { ...labelStyle, background }, [marked ? label : texts.unmarked]),
    ]),
  ]);
  const canvas = element('canvas', { position: 'absolute', inset: '0', width: '100%', height: '100%' });
  const centre = element('span', groundStyle);
  const foot = element('div', footStyle, [centre]);
  Object.assign(video.style, pictureStyle);
  const px = Object.fromEntries(Object.entries(place).map(([side, length]) => [side, `${length}px`]));
  const frame = element('section', { ...frameStyle, position: 'absolute', ...px }, [video, canvas, head, foot]);
  const sight = element('div', aboveStyle, [element('div', { ...labelBarStyle, background }, [label]), frame]);
  sight.id = ID;
  // Hidden from screen readers, since the page repeats all of its content.
  sight.ariaHidden = 'true';
  document.body.append(sight);

  return {
    /** Returns whether the picture is still on the page. */
    isThere: () => sight.isConnected,
    draw(shown: ShownFrame) {
      centre.textContent = placeText(shown);
      centre.hidden = centre.textContent === '';
      const rect = pictureRect(place, shown);
      drawOverlay({ canvas, size: place, rect, targets: shown.targets, chosen: null });
      canvas.dataset.recordTimeUs = String(shown.record?.timeUs ?? '');
      frame.dataset.frameTimeUs = String(shown.timeUs);
    },
  };
}

/** Removes the early picture once the player shows it, or no player will be shown. */
export const removeFirstPicture = (): void => document.getElementById(ID)?.remove();

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: Partial<CSSStyleDeclaration>,
  children: (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.assign(made.style, style);
  made.append(...children);
  return made;
}
