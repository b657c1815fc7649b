/** Texts of the tab that are needed before the list of clips has been loaded. */
export const tabTexts = { tab: 'Clips' } as const;
