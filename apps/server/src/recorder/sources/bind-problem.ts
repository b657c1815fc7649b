/** Returns a message for operators that says why listening on a port failed. */
export function bindProblem(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken by another program or source`;
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine`;
  if (code === 'EACCES') return `The server may not listen on port ${port}: ports below 1024 need a right of their own`;
  return `The server cannot listen on ${host}, port ${port}`;
}
