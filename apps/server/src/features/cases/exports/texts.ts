/** Says in a report that the export ignores the rights of its reader. */
export const holdsWhat = (maker: string): string => `This export holds what ${maker} could read.`;
