import type { Role } from '@osprey/contract';

/** Texts of the application shell; each feature has its own texts in its folder. */
export const texts = {
  product: 'Osprey',
  copyright: '© {year} Osprey contributors',
  pressForKeys: 'Press {key} for keys',
  menu: {
    open: 'Open the menu',
    close: 'Close the menu',
    label: 'Main menu',
    admin: 'Admin',
    misc: 'Misc',
    more: 'More',
  },
  skip: 'Skip to the content',
  state: {
    Connecting: 'Connecting',
    Online: 'Online',
    Offline: 'Offline',
    Reconnecting: 'Reconnecting',
    label: 'Server state: {state}',
  },
  offline: {
    banner: 'Server offline since {time} Z. You see the last data received.',
    next: 'next try in {seconds} s',
    trying: 'trying to reach it',
    now: 'Try now',
    snackbar: 'Server offline',
  },
  serverError: 'Server error: {text}.',
  serverMessage: 'Server message: {text}.',
  recorderError: 'Recorder error: {info}',
  accessError: 'Server access error - {detail}',
  waiting: 'The server does not answer yet. This page tries again by itself.',
  clock: { label: 'Time in UTC', local: 'Local time {time}' },
  theme: { label: 'Colour scheme', dark: 'Dark', light: 'Light', system: 'System' },
  labelBar: 'Highest classification on screen: {label}',
  roles: {
    superAdmin: 'Super admin',
    admin: 'Admin',
    groupAdmin: 'Group admin',
    user: 'User',
    guest: 'Guest',
  } satisfies Record<Role, string>,
  crash: {
    title: 'Something went wrong on this page',
    text: 'Nothing on the server was changed. Reloading the page usually helps.',
    reload: 'Reload',
  },
  notLoaded: {
    title: 'This could not be loaded',
    away: 'The server does not answer. This loads as soon as the server is back.',
    text: 'The server may have been updated since you opened this page. Reload the page.',
    again: 'Try again',
    reload: 'Reload the page',
  },
};
