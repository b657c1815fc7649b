export type MenuEntry = {
  path: string;
  label: string;
  /** Where the closed rail has no room for the label. */
  short?: string;
  icon: string;
  group: 'main' | 'admin' | 'misc';
  /** Where it leads from this page, if not always to `path`. */
  from?: (pathname: string) => string;
  /** Pages that are reached from this one and have no entry of their own. */
  below?: readonly string[];
};

/** Returns whether this page is the entry's, or one below it. */
export const isPlaceOf = ({ path, below = [] }: MenuEntry, pathname: string): boolean =>
  path === pathname || pathname.startsWith(`${path}/`) || below.includes(pathname);
