/** Returns the address of a time in a mission, shown by the given sensor; null: by any sensor. */
export function momentAddress(missionId: string, sensorId: string | null, timeUs: number): string {
  const query = new URLSearchParams({ mission: missionId });
  if (sensorId !== null) query.set('sensor', sensorId);
  // Round up to the milliseconds of the address: rounding down would lead to the previous frame.
  query.set('t', new Date(Math.ceil(timeUs / 1000)).toISOString());
  return `/missions?${query}`;
}
