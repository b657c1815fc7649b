/** Address of a moment of a mission: of one sensor, or of any where none is named. */
export function momentAddress(missionId: string, sensorId: string | null, timeUs: number): string {
  const query = new URLSearchParams({ mission: missionId });
  if (sensorId !== null) query.set('sensor', sensorId);
  // Addresses have milliseconds: rounded down, the time would be that of the frame before.
  query.set('t', new Date(Math.ceil(timeUs / 1000)).toISOString());
  return `/missions?${query}`;
}
