export const texts = {
  title: 'Found times',
  at: '{at} of {count} found',
  previous: 'Previous',
  next: 'Next',
  previousKey: 'Previous (P)',
  nextKey: 'Next (N)',
  back: 'Back to Find',
  end: 'End playing what was found',
  last: 'All times that were found have been played.',
  gone: 'A mission was left out: it was deleted, or you may not see it.',
  failed: 'The next time could not be opened: {text}',
} as const;
