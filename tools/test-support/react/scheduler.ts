import * as own from 'scheduler/cjs/scheduler.production.js';

export * from 'scheduler/cjs/scheduler.production.js';

type Work = (isOverdue: boolean) => Work | null | undefined;
type Task = { callback: Work | null };

/** Pending work of React. */
const open = new Set<Task>();

export const isIdle = (): boolean => open.size === 0;

/** Schedules a task with React's scheduler, and keeps track of whether any work is pending. */
export function unstable_scheduleCallback(priority: number, work: Work, options?: object): Task {
  const counted =
    (part: Work): Work =>
    (isOverdue) => {
      open.delete(task);
      const next = part(isOverdue);
      if (typeof next !== 'function') return null;
      open.add(task);
      return counted(next);
    };
  const task: Task = own.unstable_scheduleCallback(priority, counted(work), options);
  open.add(task);
  return task;
}

export function unstable_cancelCallback(task: Task): void {
  open.delete(task);
  own.unstable_cancelCallback(task);
}
