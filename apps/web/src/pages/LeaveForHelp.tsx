import { useEffect } from 'react';

/** /help is the server's own: the address is the same, but another page answers it. */
export function LeaveForHelp() {
  useEffect(() => location.reload(), []);
  return null;
}
