/** Texts about the session that every page needs, separate from those of the login forms. */
export const texts = {
  ended: 'Your session has ended',
  endedLead: 'Log in as {name} to go on: what you typed is kept.',
  endedAsGuest: 'Your session has expired. You are now browsing as a guest.',
  leave: 'Leave without it',
  notice: 'For authorised users only. Everything you open, copy or export is logged under your name.',
  account: 'Account of {name}',
};
