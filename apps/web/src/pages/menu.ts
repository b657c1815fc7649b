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
import { type Actor, hasAdminRole } from '@osprey/contract';
import { texts } from '../base/texts.ts';
import type { MenuEntry } from '../shell/menu-entry.ts';

/** Chapters of the manual, by the page that they explain. */
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

/** Help opens at the chapter of the page that it is asked from. */
function chapterOf(pathname: string): string {
  const found = chapters.find(([path]) => pathname === path || pathname.startsWith(`${path}/`));
  return found === undefined ? '/help' : `/help/${found[1]}`;
}

/** Only pages that exist. Those of group `admin` are for superAdmin, admin and groupAdmin alone. */
const menu: readonly MenuEntry[] = [
  { path: '/missions', label: texts.entries.vod, icon: mdiPlayBoxOutline, group: 'main' },
  { path: '/live', label: texts.entries.live, icon: mdiAccessPoint, group: 'main' },
  { path: '/documents', label: texts.entries.docs, icon: mdiFileDocumentOutline, group: 'main' },
  { path: '/cases', label: texts.entries.cases, icon: mdiFolderOutline, group: 'main' },
  { path: '/map', label: texts.entries.map, icon: mdiMapClockOutline, group: 'main' },
  { path: '/find', label: texts.entries.find, icon: mdiMagnify, group: 'main' },
  {
    path: '/platforms',
    label: texts.entries.platforms,
    short: texts.entries.platformsShort,
    icon: mdiQuadcopter,
    group: 'admin',
  },
  {
    path: '/admin',
    label: texts.entries.admin,
    icon: mdiShieldAccountOutline,
    group: 'admin',
    below: ['/admin/health', '/backups', '/platforminfo', '/stsupervisor'],
  },
  { path: '/users', label: texts.entries.users, icon: mdiAccountMultipleOutline, group: 'admin' },
  { path: '/usergroups', label: texts.entries.groups, icon: mdiAccountGroupOutline, group: 'admin' },
  { path: '/useractivity', label: texts.entries.activity, icon: mdiHistory, group: 'admin' },
  { path: '/storage', label: texts.entries.storage, icon: mdiArchiveOutline, group: 'admin' },
  { path: '/help', label: texts.entries.help, icon: mdiHelpCircleOutline, group: 'misc', from: chapterOf },
  { path: '/about', label: texts.entries.about, icon: mdiInformationOutline, group: 'misc' },
];

/** Menu entries for this actor. */
export const menuOf = (actor: Actor | null): readonly MenuEntry[] =>
  menu.filter(({ group }) => group !== 'admin' || (actor !== null && hasAdminRole(actor)));
