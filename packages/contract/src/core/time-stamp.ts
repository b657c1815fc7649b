/** A moment in a name: `20260131-235959`, UTC, so that names sort as they were made. */
export const timeStamp = (timeUs: number): string =>
  new Date(timeUs / 1000).toISOString().replace(/[-:]/g, '').slice(0, 15).replace('T', '-');
