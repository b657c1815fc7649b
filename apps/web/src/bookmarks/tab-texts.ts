/** Texts of the tab that are needed before the list has been loaded. */
export const tabTexts = {
  title: 'Bookmarks',
  closed: { title: 'No mission is open', text: 'Open a mission to see its bookmarks.' },
} as const;
