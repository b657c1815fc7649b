/** Texts of the tab before the list of clips has been fetched. */
export const tabTexts = { tab: 'Clips' } as const;
