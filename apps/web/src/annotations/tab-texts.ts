/** Texts of pages before annotations have been fetched. */
export const tabTexts = { title: 'Annotations', overlay: 'Annotations' } as const;
