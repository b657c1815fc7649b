/** Texts that pages need before the code for annotations has been loaded. */
export const tabTexts = { title: 'Annotations', overlay: 'Annotations' } as const;
