/** Texts for recording without a dialog, loaded with every view. */
export const nowTexts = {
  button: 'Now',
  label: 'Record now: {name}',
  hint: 'Record {name} at once, with the label and audience of the platform',
  bar: 'Record now',
  leading: 'Record now: the leading platform (Shift+R)',
  toMark: 'Record this stream to add marks',
  noLeader: 'No live stream leads. Choose a platform to record.',
  already: '{name} is being recorded already.',
  begun: 'Recording {name}: mission {mission}.',
  open: 'Open mission',
  mayNot: 'You can watch this platform, but not control it.',
} as const;
