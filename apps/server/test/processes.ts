import { readFileSync } from 'node:fs';

/** Empty for one that has gone. */
const reported = (pid: number, what: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
};

/** Neither gone nor a zombie that only waits for its parent. */
export function isAlive(pid: number): boolean {
  const state = reported(pid, 'stat');
  return state !== '' && !/ Z /.test(state.slice(state.lastIndexOf(')')));
}

export const commandOf = (pid: number): string => reported(pid, 'cmdline');

/** Role of a process of the server: `api`, `worker`, …; null for main and for other processes. */
export const roleOf = (pid: number): string | null =>
  reported(pid, 'environ')
    .split('\0')
    .find((setting) => setting.startsWith('OSPREY_ROLES='))
    ?.slice('OSPREY_ROLES='.length) ?? null;

export const childrenOf = (pid: number): number[] =>
  reported(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/** A process with all that it started, however deep. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** With SIGKILL; one whose parent was killed before it may have gone by itself. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
