/** So is everything that leaves a reader's rights out of account said. */
export const holdsWhat = (maker: string): string => `This export holds what ${maker} could read.`;

/** Origin of the pictures of a snapshot. */
export const pictureTexts = {
  server: 'Picture from the recording',
  browser: 'Picture from the browser',
  overlays: 'Picture with overlays, drawn by the browser',
} as const;
