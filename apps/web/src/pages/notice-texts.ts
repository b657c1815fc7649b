export const notices = {
  demo: 'Demo mode: three users at once beside admins, one live platform, no exports. Please check your license.',
  expired: { title: 'Demo Expired' },
  full: 'Too many concurrent users - {message}',
  checkLicense: 'Please check your license.',
  backupFailed: {
    title: 'Backup {name} failed',
    text: 'The recordings go on. Look at the backups, mend what it says, and make another one.',
  },
  toBackups: 'Show backups',
  toStorage: 'Show storage',
};
