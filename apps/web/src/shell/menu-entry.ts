export type MenuEntry = {
  path: string;
  label: string;
  /** Shorter label for the closed menu, if `label` does not fit. */
  short?: string;
  icon: string;
  group: 'main' | 'admin' | 'misc';
  /** Returns the destination when opened from this page, if it is not always `path`. */
  from?: (pathname: string) => string;
  /** Pages that are reached from this one and have no entry of their own. */
  below?: readonly string[];
};

/** Returns whether this page belongs to the entry. */
export const isPlaceOf = ({ path, below = [] }: MenuEntry, pathname: string): boolean =>
  path === pathname || pathname.startsWith(`${path}/`) || below.includes(pathname);
