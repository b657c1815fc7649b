/** Texts of the tab before the list has been fetched. */
export const tabTexts = {
  title: 'Bookmarks',
  closed: { title: 'No mission is open', text: 'Open a mission to see its bookmarks.' },
} as const;
