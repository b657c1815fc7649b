export type Scheme = 'dark' | 'light';
type Pair = Record<Scheme, string>;

/**
 * Colours of the classifications, in order of rank. `fill`: background of the label bars, under white text; `ink`:
 * colour of text on a surface.
 */
export const labelColours = {
  UNCLASSIFIED: { fill: '#1B7A43', ink: { dark: '#5FCB8B', light: '#166638' } },
  RESTRICTED: { fill: '#0B7570', ink: { dark: '#4CC9C0', light: '#0A625E' } },
  CONFIDENTIAL: { fill: '#1F62B5', ink: { dark: '#78B2F5', light: '#1B559C' } },
  SECRET: { fill: '#B8232F', ink: { dark: '#FF8A8A', light: '#A31D28' } },
  'TOP SECRET': { fill: '#B25300', ink: { dark: '#FFA552', light: '#934400' } },
} as const;

/** Colours of the states of streams, platforms and missions. StateDot has the shape for each state. */
export const stateColours = {
  live: { dark: '#FF5A52', light: '#C8251D' },
  online: { dark: '#4CC38A', light: '#18794E' },
  warning: { dark: '#F2B04A', light: '#8F5A00' },
  offline: { dark: '#8A95A3', light: '#5C6773' },
  working: { dark: '#9DA8FF', light: '#4453D6' },
} as const satisfies Record<string, Pair>;

/** Colours of the base map, which is drawn from local data. `halo`: band around coasts that suggests shallow water. */
export const chartColours = {
  dark: { sea: '#0D1520', halo: '#16283A', land: '#1B222B', coast: '#46566A', grid: '#1C2937', text: '#8C99A8' },
  light: { sea: '#DCE8F1', halo: '#C3DAEA', land: '#F3F1EA', coast: '#94A1AD', grid: '#C9D8E4', text: '#4F5C6A' },
} as const;

/**
 * Colours offered first when a platform has no colour yet. They differ clearly from each other, from the state colours
 * and from the accent colour.
 */
export const platformColours = ['#22C7E6', '#E879C7', '#A3D14B', '#F59E6B', '#B79CFF', '#004DCF'] as const;

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function luminance(rgb: number[]) {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => channel(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Returns the user's platform colour (#rrggbb), lightened or darkened until its contrast is 3:1 on the chart and on a
 * selected row. The default in the specification, #004dcf, would be too dark on the dark chart.
 */
export function platformInk(colour: string, scheme: Scheme) {
  const target = scheme === 'dark' ? 255 : 0;
  const ground = luminance(scheme === 'dark' ? [31, 37, 64] : [220, 232, 241]);
  const chosen = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  for (let share = 0; share <= 1; share += 0.04) {
    const rgb = chosen.map((value) => Math.round(value + (target - value) * share));
    const [low = 0, high = 0] = [luminance(rgb), ground].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) >= 3)
      return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  }
  return scheme === 'dark' ? '#ffffff' : '#000000';
}

/** MUI palette of the dark scheme, the default. */
export const darkPalette = {
  mode: 'dark',
  primary: { main: '#8E9BFF', dark: '#7584FA', light: '#B4BDFF', contrastText: '#0B0E14' },
  error: { main: '#FF6B63', contrastText: '#160506' },
  warning: { main: '#F2B04A', contrastText: '#1A1000' },
  success: { main: '#4CC38A', contrastText: '#04150C' },
  info: { main: '#9BA7B6', contrastText: '#0B0E14' },
  text: { primary: '#E7EBF1', secondary: '#A1ACBA', disabled: '#8995A3' },
  background: { default: '#0B0E13', paper: '#12161D' },
  divider: '#242B36',
  surface: {
    base: '#0B0E13',
    panel: '#12161D',
    raised: '#1A2029',
    hover: '#1E2530',
    selected: '#1F2540',
    line: '#242B36',
    lineStrong: '#3A4554',
    field: '#0B0E13',
  },
  action: {
    hover: '#1E2530',
    selected: '#1F2540',
    disabled: '#5E6977',
    disabledBackground: '#1A2029',
    active: '#A1ACBA',
  },
} as const;

/** MUI palette of the light scheme. */
export const lightPalette = {
  mode: 'light',
  primary: { main: '#4453D6', dark: '#3542B8', light: '#7480EA', contrastText: '#FFFFFF' },
  error: { main: '#C8251D', contrastText: '#FFFFFF' },
  warning: { main: '#8F5A00', contrastText: '#FFFFFF' },
  success: { main: '#18794E', contrastText: '#FFFFFF' },
  info: { main: '#55606D', contrastText: '#FFFFFF' },
  text: { primary: '#171C23', secondary: '#4E5965', disabled: '#626D79' },
  background: { default: '#EEF1F4', paper: '#FFFFFF' },
  divider: '#DDE2E8',
  surface: {
    base: '#EEF1F4',
    panel: '#FFFFFF',
    raised: '#FFFFFF',
    hover: '#F2F4F7',
    selected: '#ECEEFC',
    line: '#DDE2E8',
    lineStrong: '#B7C0CA',
    field: '#FFFFFF',
  },
  action: {
    hover: '#F2F4F7',
    selected: '#ECEEFC',
    disabled: '#8C96A1',
    disabledBackground: '#EEF1F4',
    active: '#4E5965',
  },
} as const;
