const none: ReadonlySet<number> = new Set();
const bySensor = new Map<string, ReadonlySet<number>>();

/**
 * Numbers of the moving targets on screen that cannot be any AIS ship, by sensor. The map marks the same targets as the
 * picture.
 */
export const unheardTargets = {
  of: (sensorId: string): ReadonlySet<number> => bySensor.get(sensorId) ?? none,
  set(sensorId: string, ids: ReadonlySet<number>): void {
    if (ids.size === 0) bySensor.delete(sensorId);
    else bySensor.set(sensorId, ids);
  },
};
