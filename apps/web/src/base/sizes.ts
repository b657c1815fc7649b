/** Sizes in pixels. All distances are multiples of 4, except for hairlines and the bars below. */
export const size = {
  labelBar: 20,
  topBar: 44,
  footer: 22,
  /**
   * Height of the menu bar on a phone, without its border. The space is also reserved before the entries are loaded.
   */
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
  timelineRow: 24,
  timelineRuler: 24,
  radiusSmall: 4,
  radius: 6,
  radiusFloat: 10,
} as const;

/** Media query for touch screens, on which every target is `size.touch` high. */
export const TOUCH_SCREEN = '@media (max-width: 599.95px), (pointer: coarse)';

/** Media query for a window as low as that of a phone in landscape, where the video needs the available height. */
export const LOW_WINDOW = '(min-width: 560px) and (max-width: 959.95px) and (max-height: 440px)';

/** Media query for the phone layout of views with players, in portrait or landscape. */
export const PHONE_VIEW = `(max-width: 599.95px), ${LOW_WINDOW}`;

/** Style of text for screen readers that is not visible. */
export const unseen = { position: 'absolute', clipPath: 'inset(50%)' } as const;

export const motion = { quickMs: 90, plainMs: 150, curve: 'cubic-bezier(0.2, 0, 0, 1)' } as const;

/** Returns a step of the type scale, with font size and line height in pixels. */
export const text = (px: number, line: number, weight = 400) => ({
  fontSize: px,
  lineHeight: `${line}px`,
  fontWeight: weight,
  letterSpacing: 0,
});
