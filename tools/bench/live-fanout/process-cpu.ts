import { readdirSync, readFileSync } from 'node:fs';

/** Times in /proc/PID/stat are in hundredths of a second. */
const TICKS_PER_SECOND = 100;

type Stat = { pid: number; parent: number; seconds: number };

/** The child of this process whose command names `program`. */
export function childOf(program: string): number {
  const children = everything().filter(({ parent }) => parent === process.pid);
  const found = children.find(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program));
  if (found === undefined) throw new Error(`${program} does not run`);
  return found.pid;
}

/** Seconds of processor that a process and all below it have used since they began, those that ended included. */
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

const everything = (): Stat[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // User and system time of its own, then of the children that it has waited for.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { pid, parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}

/** Which part of the server a process is. */
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
