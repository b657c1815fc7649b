const none: ReadonlySet<number> = new Set();
const bySensor = new Map<string, ReadonlySet<number>>();

/** Moving targets of the frames on screen that no ship can be, by sensor. The map marks the same as the picture. */
export const unheardTargets = {
  of: (sensorId: string): ReadonlySet<number> => bySensor.get(sensorId) ?? none,
  set(sensorId: string, ids: ReadonlySet<number>): void {
    if (ids.size === 0) bySensor.delete(sensorId);
    else bySensor.set(sensorId, ids);
  },
};
