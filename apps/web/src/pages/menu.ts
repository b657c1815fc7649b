import {
  mdiAccessPoint,
  mdiAccountGroupOutline,
  mdiAccountMultipleOutline,
  mdiArchiveOutline,
  mdiFileDocumentOutline,
  mdiFolderOutline,
  mdiHelpCircleOutline,
  mdiHistory,
  mdiInformationOutline,
  mdiMagnify,
  mdiMapClockOutline,
  mdiPlayBoxOutline,
  mdiQuadcopter,
  mdiShieldAccountOutline,
} from '@mdi/js';
import { type Actor, can, hasAdminRole, type PlainAction } from '@osprey/contract';
import type { MenuEntry } from '../shell/menu-entry.ts';

/** Chapters of the manual for each page. */
const chapters: readonly [path: string, slug: string][] = [
  ['/missions', 'missions'],
  ['/live', 'live-input'],
  ['/documents', 'documents'],
  ['/cases', 'cases'],
  ['/map', 'ships'],
  ['/find', 'find-by-place'],
  ['/platforms', 'platforms'],
  ['/platforminfo', 'platforms'],
  ['/admin/health', 'health'],
  ['/admin', 'admin'],
  ['/backups', 'backups'],
  ['/users', 'users'],
  ['/usergroups', 'usergroups'],
  ['/useractivity', 'activity'],
  ['/storage', 'storage'],
];

/** Returns the address of the help chapter about the current page. */
function chapterOf(pathname: string): string {
  const found = chapters.find(([path]) => pathname === path || pathname.startsWith(`${path}/`));
  return found === undefined ? '/help' : `/help/${found[1]}`;
}

/**
 * Entries of the menu. Those of group `admin` are shown only to superAdmin, admin and groupAdmin; those with `action`
 * only to users with that right.
 */
const menu: readonly (MenuEntry & { action?: PlainAction })[] = [
  { path: '/missions', label: 'VOD', icon: mdiPlayBoxOutline, group: 'main' },
  { path: '/live', label: 'Live', icon: mdiAccessPoint, group: 'main' },
  { path: '/documents', label: 'Docs', icon: mdiFileDocumentOutline, group: 'main' },
  { path: '/cases', label: 'Cases', icon: mdiFolderOutline, group: 'main' },
  { path: '/map', label: 'Map', icon: mdiMapClockOutline, group: 'main' },
  { path: '/find', label: 'Find', icon: mdiMagnify, group: 'main' },
  {
    path: '/platforms',
    label: 'Platforms',
    short: 'Control',
    icon: mdiQuadcopter,
    group: 'admin',
  },
  {
    path: '/admin',
    label: 'Admin',
    icon: mdiShieldAccountOutline,
    group: 'admin',
    below: ['/admin/health', '/backups', '/platforminfo', '/stsupervisor'],
  },
  { path: '/users', label: 'Users', icon: mdiAccountMultipleOutline, group: 'admin' },
  {
    path: '/usergroups',
    label: 'Groups',
    icon: mdiAccountGroupOutline,
    group: 'admin',
    action: 'usergroup.manage',
  },
  { path: '/useractivity', label: 'Activity', icon: mdiHistory, group: 'admin' },
  { path: '/storage', label: 'Storage', icon: mdiArchiveOutline, group: 'admin' },
  { path: '/help', label: 'Help', icon: mdiHelpCircleOutline, group: 'misc', from: chapterOf },
  { path: '/about', label: 'About', icon: mdiInformationOutline, group: 'misc' },
];

/** Returns the menu entries for this user. */
export const menuOf = (actor: Actor | null): readonly MenuEntry[] =>
  menu.filter(
    ({ group, action }) =>
      (group !== 'admin' || (actor !== null && hasAdminRole(actor))) &&
      (action === undefined || can(actor, action).allowed),
  );
