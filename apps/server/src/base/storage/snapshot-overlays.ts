/**
 * Returns the key of a snapshot's second picture, which includes overlays. It is in the document's directory and is
 * removed with it.
 */
export const overlaysKey = (documentId: string): string => `documents/${documentId}/overlays.jpg`;

/** Page number of the overlays picture in the document. */
export const OVERLAYS_PAGE = 2;
