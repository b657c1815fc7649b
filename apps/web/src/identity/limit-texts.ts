/** Texts about the limit of a session. They are loaded separately, since few sessions have a limit. */
export const limitTexts = {
  login: 'Session limited to {label}. To see more, log out and log in again.',
  listener: 'Limited to {label} at this address of the server, whatever your clearance is.',
};
