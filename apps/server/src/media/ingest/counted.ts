/** Text for one item, and the text that follows the number of several items. */
export type Counted = readonly [one: string, several: string];

export const counted = (count: number, [one, several]: Counted): string => (count === 1 ? one : `${count} ${several}`);
export const often = (count: number): string => (count === 1 ? 'once' : `${count} times`);
