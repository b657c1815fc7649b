export const viewerTexts = {
  list: 'Also looking at this mission',
  also: 'Also looking at this mission: {names}',
  more: '{count} more',
};
