/** Sentence for a report: the export contains what its creator could read, whatever the rights of its reader. */
export const holdsWhat = (maker: string): string => `This export holds what ${maker} could read.`;
