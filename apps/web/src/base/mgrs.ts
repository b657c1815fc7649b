import { formatMgrs, type Point } from '@osprey/geo';

/** Formats a position in MGRS with spaces between zone, square, easting and northing: `35S KB 56128 62213`. */
export const spacedMgrs = (point: Point): string =>
  formatMgrs(point).replace(
    /^(\d\d[A-Z]|[ABYZ])([A-Z]{2})(\d+)$/,
    (_all, zone: string, square: string, digits: string) =>
      [zone, square, digits.slice(0, digits.length / 2), digits.slice(digits.length / 2)].join(' '),
  );
