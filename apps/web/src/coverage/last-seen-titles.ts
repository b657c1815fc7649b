/** Texts of the menu that are needed before the overlay has been loaded. */
export const lastSeenTitles = {
  title: 'Last seen',
  hours: 'Last seen: not for',
  hoursShort: (hours: number) => (hours < 72 ? `${hours} h` : `${hours / 24} d`),
  notSeen: (hours: number) => (hours < 72 ? `Not seen for ${hours} h` : `Not seen for ${hours / 24} days`),
};

export const LAST_SEEN_HOURS = [1, 6, 24, 168] as const;
