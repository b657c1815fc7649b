/** Sizes in px. Every distance is a multiple of 4; the few exceptions are hairlines and the bars below. */
export const size = {
  labelBar: 20,
  topBar: 44,
  footer: 22,
  /** The menu of a phone, without its border; also while its entries are not there yet. */
  bottomBar: 52,
  rail: 52,
  railOpen: 208,
  toolbar: 40,
  control: 32,
  controlSmall: 28,
  touch: 44,
  row: 40,
  rowCompact: 32,
  tableHead: 32,
  timelineRow: 26,
  timelineRuler: 24,
  radiusSmall: 4,
  radius: 6,
  radiusFloat: 10,
} as const;

/** Where a finger points: every target is `size.touch` high. */
export const TOUCH_SCREEN = '@media (max-width: 599.95px), (pointer: coarse)';

/** A window as low as a phone in landscape: what is watched needs its height. */
export const LOW_WINDOW = '(min-width: 560px) and (max-width: 959.95px) and (max-height: 440px)';

/** Where a view of players is arranged for a phone, upright or in landscape. */
export const PHONE_VIEW = `(max-width: 599.95px), ${LOW_WINDOW}`;

/** Read out, not seen. */
export const unseen = { position: 'absolute', clipPath: 'inset(50%)' } as const;

export const motion = { quickMs: 90, plainMs: 150, curve: 'cubic-bezier(0.2, 0, 0, 1)' } as const;

/** A step of the type scale: size and line in px. */
export const text = (px: number, line: number, weight = 400) => ({
  fontSize: px,
  lineHeight: `${line}px`,
  fontWeight: weight,
  letterSpacing: 0,
});
