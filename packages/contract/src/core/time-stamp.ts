/** Formats a time for use in names, such as `20260131-235959` in UTC, so that names sort by creation. */
export const timeStamp = (timeUs: number): string =>
  new Date(timeUs / 1000).toISOString().replace(/[-:]/g, '').slice(0, 15).replace('T', '-');
