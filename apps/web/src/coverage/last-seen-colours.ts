import type { Scheme } from '../base/colours.ts';

/**
 * Colours of ages, from recently seen to seen long ago (`ages`), and of the border of ground not seen for the chosen
 * hours (`old`); and of the lines over ground that was seen only approximately (`hatch`).
 */
export const lastSeenColours: Record<
  Scheme,
  { ages: readonly [string, string, string, string]; old: string; hatch: string }
> = {
  dark: { ages: ['#7CF5C0', '#35C2A0', '#2389A0', '#355C97'], old: '#F2B04A', hatch: '#F4F7FA' },
  light: { ages: ['#00754F', '#1E9C86', '#56B3C4', '#8FB3DE'], old: '#A35A00', hatch: '#1B2430' },
};
