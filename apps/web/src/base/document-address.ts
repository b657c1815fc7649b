/** Returns the address of a document; a snapshot is a document as well. */
export const documentAddress = (id: string): string => `/documents?document=${encodeURIComponent(id)}`;
