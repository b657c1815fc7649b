export const texts = {
  title: 'Help',
  contents: 'Pages of the manual',
  choose: 'Contents',
  search: 'Search the manual',
  table: 'Table',
  loading: 'Loading the manual',
  failed: { title: 'The manual could not be loaded', text: 'Check the connection to the server and try again.' },
  missing: { title: 'No such page', text: 'The manual has no page at this address. Choose one from the contents.' },
  hits: { one: '1 result', many: '{count} results' },
  hitOf: '{page}: {title}',
  none: { title: 'Nothing found', text: 'Try fewer words, or the beginning of a word.' },
  back: 'Go to Osprey',
} as const;
