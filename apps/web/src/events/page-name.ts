/**
 * Names of pages by the first part of their address. Other parts are not reported, since ids and searches reveal what a
 * user is looking at.
 */
const names: Readonly<Record<string, string>> = {
  missions: 'Missions',
  live: 'Live',
  map: 'Map',
  documents: 'Documents',
  cases: 'Cases',
  find: 'Find by place',
  usergroups: 'Usergroups',
  useractivity: 'User activity',
  users: 'Users',
  platforms: 'Platforms',
  platforminfo: 'Platform configuration',
  storage: 'Storage',
  backups: 'Backups',
  help: 'Help',
  admin: 'Admin',
  stsupervisor: 'Supervisor',
  about: 'About',
};

/** Returns the name of the page at an address, which Sessions shows as the place where a user is. */
export function pageName({ pathname, search }: { pathname: string; search: string }): string {
  const [, first = '', second] = pathname.split('/');
  if (first === 'missions' && new URLSearchParams(search).has('mission')) return 'Mission view';
  if (first === 'cases' && second) return 'Case';
  if (first === 'admin' && second === 'health') return 'Health';
  return names[first] ?? 'Another page';
}
