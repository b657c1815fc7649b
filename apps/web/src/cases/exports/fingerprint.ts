/** Formats a SHA-256 hash in hexadecimal in groups of four digits, so that people can compare it by eye or by voice. */
export const grouped = (hex: string): string => (hex.match(/.{1,4}/g) ?? []).join(' ');
