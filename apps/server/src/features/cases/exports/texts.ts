/** So is everything that leaves a reader's rights out of account said. */
export const holdsWhat = (maker: string): string => `This export holds what ${maker} could read.`;
