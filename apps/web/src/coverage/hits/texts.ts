export const texts = {
  title: 'Hits of saved searches',
  now: '{who} sees {search} now',
  before: '{who} saw {search}',
  show: 'Show',
  clear: 'Clear hits',
  cleared: 'The hits were cleared.',
  clearFailed: 'The hits were not cleared: {text}',
  failed: 'The hits could not be read',
} as const;
