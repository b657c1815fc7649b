/** SHA-256 in hex, in groups of four, as people compare it by eye or by voice. */
export const grouped = (hex: string): string => (hex.match(/.{1,4}/g) ?? []).join(' ');
