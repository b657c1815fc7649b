export const notices = {
  demo: 'Demo mode: three users at once besides admins, one live platform, no exports. Please check your license.',
  expired: { title: 'Demo Expired' },
  full: 'Too many concurrent users - {message}',
  checkLicense: 'Please check your license.',
  backupFailed: {
    title: 'Backup {name} failed',
    text: 'Recordings continue. Open the backups, fix the stated problem, and create another backup.',
  },
  toBackups: 'Show backups',
  toStorage: 'Show storage',
};
