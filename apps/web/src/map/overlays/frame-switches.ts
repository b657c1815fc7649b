import { fill } from '../../base/format.ts';
import type { Overlay, OverlaySetting } from '../overlay.ts';
import { texts } from '../texts.ts';

const IDS = ['trail', 'footprint', 'sight', 'targets'] as const;

/** Which parts of a frame are drawn. */
export type FrameChoice = Record<(typeof IDS)[number], boolean>;

/** Returns the choices used until those of the user are known. */
export const noFrames = (): FrameChoice => ({ trail: false, footprint: false, sight: false, targets: false });

const lengthText = (seconds: number) =>
  seconds < 60 ? fill(texts.trailSeconds, { seconds }) : fill(texts.trailMinutes, { minutes: seconds / 60 });

const trailSeconds: OverlaySetting = {
  id: 'trailSeconds',
  title: texts.trailLength,
  choices: [20, 60, 300].map((value) => {
    const text = lengthText(value);
    return { value, text, label: fill(texts.trailOf, { length: text }) };
  }),
  initially: 20,
};

/** Switches shared by all overlays that draw frames, so that these are switched together. */
export const frameLines = {
  switches: IDS.map((id) => ({ id, title: texts.layers[id], group: '' })),
  settings: [trailSeconds],
} satisfies Partial<Overlay>;
