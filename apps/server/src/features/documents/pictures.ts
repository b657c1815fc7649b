/**
 * Storage keys of pictures that the server creates from a document; page pictures are created at their first request.
 */
export const thumbnailKey = (documentId: string): string => `documents/${documentId}/thumbnail.webp`;
export const pageKey = (documentId: string, page: number): string => `documents/${documentId}/page-${page}.webp`;
export const documentFolder = (documentId: string): string => `documents/${documentId}`;
/** Storage key of the HLS playlist of a transport stream; absent if browsers cannot play the stream. */
export const playlistKey = (documentId: string): string => `documents/${documentId}/video.m3u8`;
