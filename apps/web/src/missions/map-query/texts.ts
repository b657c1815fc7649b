export const texts = {
  title: 'Query of the map',
  noSensor: 'Please select mission to query.',
  running: 'This mission is still being recorded. Query it when the recording has ended.',
  hits: '{sensor} in the area',
};
