export const texts = {
  titles: {
    missions: 'Missions',
    login: 'Log in',
    register: 'Register',
    setup: 'Set up',
    about: 'About',
    notFound: 'Page not found',
    reset: 'Set your password',
  },
  adminTabs: {
    label: 'Administration',
    users: 'Users',
    activity: 'User activity',
    groups: 'User groups',
  },
  noRights: {
    title: 'This page is for administrators',
    text: 'Ask an administrator for the role that you need.',
  },
  places: { title: 'Places of {count} missions', titleOne: 'Place of 1 mission', height: 'Height of the map' },
  notFound: {
    title: 'Page not found',
    text: 'There is no page at {path}.',
    back: 'Go to the missions',
  },
  about: {
    title: 'Osprey',
    lead: 'An open media server for full-motion video.',
    frontend: 'Frontend version',
    backend: 'Backend version',
    server: 'Server name',
    uptime: 'Running since',
    license: 'License',
    licenseName: 'Apache-2.0',
    unknown: 'Not known to this account',
  },
};
