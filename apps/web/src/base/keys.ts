/**
 * Keys of local storage and session storage. The specification defines most of them. The meaning of a key must never
 * change.
 */
export const storageKeys = {
  /** Name of the logged-in account, or of the guest. */
  username: 'username',
  /** Device credential; never a password that the user typed. */
  password: 'password',
  sideMenuOpened: 'sideMenuOpened',
  missionsTabValue: 'missionsTabValue',
  lastMission: 'lastMission',
  timeSelection: 'timeSelection',
  filterTags: 'filterTags',
  filterCountries: 'filterCountries',
  filterUsergroups: 'filterUsergroups',
  /** Stored in session storage. A value in local storage is used once as a fallback. */
  queryFilter: 'queryFilter',
  activityColumns: 'activityColumns',
  auditColumns: 'auditColumns',
  sessionColumns: 'sessionColumns',
  groupColumns: 'groupColumns',
  userColumns: 'userColumns',
  /** Filter of the documents; stored in session storage. */
  docQueryFilter: 'docQueryFilter',
  /** Ids of annotations that the user has hidden on maps. */
  hiddenAnnotations: 'hiddenAnnotations',
  /** Search, mode and sort order of the annotations. */
  annotationsQueryFilter: 'annotationsQueryFilter',
  /** Style of the last shape, and the place of the map in the dialog. */
  lastAnnotationProperties: 'lastAnnotationProperties',
  annotationColumns: 'annotationColumns',
  documentColumns: 'documentColumns',
  documentPageSize: 'documentPageSize',
  missionColumns: 'missionColumns',
  backupColumns: 'backupColumns',
  bookmarkColumns: 'bookmarkColumns',
  caseColumns: 'caseColumns',
  missionsAdminMode: 'missionsAdminMode',
  platformColumns: 'platformColumns',
  missionsTopHeight: 'missionsTopHeight',
  /** Content of the rows of recordings on a timeline: pictures, or bars. */
  timelineRows: 'timelineRows',
  aisQueryFilter: 'aisQueryFilter',
  aisColumns: 'aisColumns',
  /** Units and coordinate format, by account. */
  units: 'units',
} as const;

/** Reads a value from the browser's storage; null if the browser refuses access, for example in a private window. */
export function readStored(key: string, store: Storage = localStorage): string | null {
  try {
    return store.getItem(key);
  } catch {
    return null;
  }
}

/** Writes a value to the browser's storage, or removes it if `value` is null. */
export function writeStored(key: string, value: string | null, store: Storage = localStorage): void {
  try {
    if (value === null) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    // If writing fails, only the stored value is lost.
  }
}

/** Reads a stored JSON value; null if it is missing or invalid. */
export function readStoredJson(key: string, store: Storage = localStorage): unknown {
  const text = readStored(key, store);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
