/** Pictures that the server made of a document; pages are made at their first request. */
export const thumbnailKey = (documentId: string): string => `documents/${documentId}/thumbnail.webp`;
export const pageKey = (documentId: string, page: number): string => `documents/${documentId}/page-${page}.webp`;
export const documentFolder = (documentId: string): string => `documents/${documentId}`;
/** HLS playlist of a transport stream; absent where browsers cannot play it. */
export const playlistKey = (documentId: string): string => `documents/${documentId}/video.m3u8`;
