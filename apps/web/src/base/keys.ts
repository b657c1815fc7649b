/** Keys of local and session storage. The specification names most of them; a key never changes its meaning. */
export const storageKeys = {
  /** Name of the account, or of the guest. */
  username: 'username',
  /** The device credential, never a typed password. */
  password: 'password',
  sideMenuOpened: 'sideMenuOpened',
  missionsTabValue: 'missionsTabValue',
  lastMission: 'lastMission',
  timeSelection: 'timeSelection',
  filterTags: 'filterTags',
  filterCountries: 'filterCountries',
  filterUsergroups: 'filterUsergroups',
  /** In session storage; a value of local storage is read once as a fallback. */
  queryFilter: 'queryFilter',
  activityColumns: 'activityColumns',
  auditColumns: 'auditColumns',
  sessionColumns: 'sessionColumns',
  groupColumns: 'groupColumns',
  userColumns: 'userColumns',
  /** The filter of the documents, in session storage. */
  docQueryFilter: 'docQueryFilter',
  /** Ids of annotations that are not shown on maps. */
  hiddenAnnotations: 'hiddenAnnotations',
  /** Search, mode and order of the annotations. */
  annotationsQueryFilter: 'annotationsQueryFilter',
  /** Style of the last shape, and where the map of the dialog was. */
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
  aisQueryFilter: 'aisQueryFilter',
  aisColumns: 'aisColumns',
  /** Units and coordinates of each account. */
  units: 'units',
} as const;

/** Reads a value from the storage of the browser; null if that is refused (private window, full disk). */
export function readStored(key: string, store: Storage = localStorage): string | null {
  try {
    return store.getItem(key);
  } catch {
    return null;
  }
}

/** Writes, or removes with `null`. */
export function writeStored(key: string, value: string | null, store: Storage = localStorage): void {
  try {
    if (value === null) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    // Only the memory of it is lost.
  }
}

/** A stored JSON value, or null when it is missing or broken. */
export function readStoredJson(key: string, store: Storage = localStorage): unknown {
  const text = readStored(key, store);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
