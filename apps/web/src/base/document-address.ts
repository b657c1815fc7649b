/** Address of a document, which a snapshot is too. */
export const documentAddress = (id: string): string => `/documents?document=${encodeURIComponent(id)}`;
