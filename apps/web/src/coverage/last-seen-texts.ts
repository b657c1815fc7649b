export const lastSeenTexts = {
  legend: 'How long ago the ground was last seen',
  title: 'Last seen',
  at: 'before {time} Z',
  under: 'less than {to} ago',
  between: '{from} to {to} ago',
  notIndexed: { one: '{count} recording is not yet indexed', many: '{count} recordings are not yet indexed' },
  nothing: 'Nothing in this part of the map was seen.',
  hours: '{hours} h',
  minutes: '{minutes} min',
  days: '{days} d',
};
