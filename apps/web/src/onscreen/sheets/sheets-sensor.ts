import type { Mission } from '@osprey/contract';

/** A sensor, as far as its sheets of pictures are asked for. */
export type SheetsSensor = { _id: string; missionId: string };

/** Returns the sensor whose pictures stand for a mission: its first one with video. */
export const firstPictured = ({ sensors }: Pick<Mission, 'sensors'>): SheetsSensor | null =>
  sensors.find(({ type }) => type === 'video') ?? null;
