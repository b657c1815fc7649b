import { readdirSync, readFileSync } from 'node:fs';

/** Unit of the times in /proc/PID/stat: hundredths of a second. */
const TICKS_PER_SECOND = 100;

type Stat = { pid: number; parent: number; seconds: number };

/** Returns the PID of the child of this process whose command line contains `program`. */
export function childOf(program: string): number {
  const children = everything().filter(({ parent }) => parent === process.pid);
  const found = children.find(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program));
  if (found === undefined) throw new Error(`${program} does not run`);
  return found.pid;
}

/**
 * Returns the processor time in seconds used so far by a process and all its descendants, including those that have
 * ended.
 */
export function treeCpuSeconds(root: number): Map<string, number> {
  const all = everything();
  const tree = new Set([root]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  const byName = new Map<string, number>();
  for (const { pid, seconds } of all) {
    if (!tree.has(pid)) continue;
    const name = roleOf(pid);
    byName.set(name, (byName.get(name) ?? 0) + seconds);
  }
  return byName;
}

/** Returns the processor time in seconds used by the children of this process that have ended. */
export function endedChildrenSeconds(): number {
  const fields = fieldsOf('self');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

const everything = (): Stat[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));

function statOf(pid: number): Stat | null {
  try {
    const fields = fieldsOf(String(pid));
    // User and system time of the process itself, then of its children that have been waited for.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { pid, parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    // The process has ended in the meantime.
    return null;
  }
}

/** Returns the fields of /proc/PID/stat after the name of the program. */
function fieldsOf(pid: string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Returns the role that a process has in the server. */
function roleOf(pid: number): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (command.startsWith('postgres') || command.includes('/postgres\0')) return 'postgres';
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return /(?:^|\0)OSPREY_ROLES=([a-z]+)/.exec(environment)?.[1] ?? 'main';
  } catch {
    return 'ended';
  }
}
