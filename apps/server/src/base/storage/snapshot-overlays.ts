/** The second picture of a snapshot, with overlays, is in the folder of its document: it goes with it. */
export const overlaysKey = (documentId: string): string => `documents/${documentId}/overlays.jpg`;

/** Page number of the overlays picture in the document. */
export const OVERLAYS_PAGE = 2;
