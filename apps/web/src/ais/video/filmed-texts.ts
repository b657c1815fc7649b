export const filmedTexts = {
  title: 'Filmed',
  reading: 'Searching the recordings…',
  failed: 'The recordings could not be searched',
  never: 'No recording that you may read shows this ship.',
  last: 'Last picture: {mission}, {time}',
  play: '{last}. Play it',
  more: 'Show older ones',
  most: 'Only the newest {count} are listed.',
} as const;
