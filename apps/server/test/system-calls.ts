import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const works = (program: string, args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Whether the machine lets us see the system calls of a program. */
export const canTrace = works('strace', ['-f', '-o', '/dev/null', 'true']);
/** Whether it lets us start one in a network of its own. */
export const canUnshareNetwork = works('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']);

/** Starts a program and notes these calls of it and of all that it starts; its process is the one that was started. */
export const tracedBy = (calls: string, file: string): string[] => [
  ...['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-y', '-s', '300'],
  ...['-e', `trace=${calls}`, '-o', file],
];

/** Starts a program in a network that has loopback and nothing else. */
export const onLoopbackOnly = (): string[] => ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** The calls of a trace in the order in which they began, each on one line, without the process. */
export function systemCalls(file: string): string[] {
  const calls: string[] = [];
  const unfinished = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const begun = / <unfinished \.\.\.>$/.exec(text);
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    if (begun) unfinished.set(pid, calls.push(text.slice(0, begun.index)) - 1);
    else if (resumed) calls[unfinished.get(pid) ?? -1] += text.slice(resumed[0].length);
    else if (text !== '') calls.push(text);
  }
  return calls;
}

/** A file that was opened, or was asked for and is not there. */
export type OpenedFile = { path: string; flags: string };

/** Files that the calls opened, by the path that the kernel gives. */
export function openedFiles(calls: readonly string[]): OpenedFile[] {
  return calls.flatMap((call) => {
    const asked = /^(?:openat2?|open|creat)\((?:AT_FDCWD|\d+)?<?([^<>"]*)>?,? ?"([^"]*)"\.*, ?(.*)$/.exec(call);
    if (asked === null) return [];
    const [, folder = '', name = '', rest = ''] = asked;
    const path = / = \d+<([^>]*)>/.exec(rest)?.[1] ?? (name.startsWith('/') ? name : `${folder}/${name}`);
    return [{ path, flags: /[A-Z_|]+/.exec(rest)?.[0] ?? '' }];
  });
}
