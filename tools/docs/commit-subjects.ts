import { spawnSync } from 'node:child_process';

const LENGTH_MAX = 72;
/** Imperatives that look like another form of a verb, such as a past tense. */
const IMPERATIVES = /^(Embed|Exceed|Feed|Need|Proceed|Seed|Shed|Speed|Bring|Ping|String|\w+(ss|us|as))$/;

/** Returns the fault of a commit's subject; null if it has none. */
export function faultOf(subject: string): string | null {
  if (subject.length > LENGTH_MAX) return `${subject.length} characters, ${LENGTH_MAX} are allowed`;
  if (!/^[A-Z]/.test(subject)) return 'begins without a capital letter';
  if (subject.endsWith('.')) return 'ends with a full stop';
  const [verb = ''] = subject.split(' ', 1);
  if (/(ed|ing|s)$/.test(verb) && !IMPERATIVES.test(verb)) return `"${verb}" is not an imperative`;
  return null;
}

/**
 * Returns the subjects of commits that are not in the origin, without merges; null if there is no origin to compare
 * with.
 */
export function newSubjects(root: string): string[] | null {
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%s', 'origin/HEAD..HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.split('\n').filter((subject) => subject !== '') : null;
}
