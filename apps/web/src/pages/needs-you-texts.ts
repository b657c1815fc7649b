/** Texts of the first section of the admin page. */
export const needsYou = {
  title: 'Needs you',
  none: 'Nothing needs you now.',
  problem: '{name}: {text}',
  jobs: { one: '1 job failed', many: '{count} jobs failed' },
  lost: 'Stream lost: {platform}, {sensor}',
  more: '{count} more streams lost',
};
