declare module 'scheduler/cjs/scheduler.production.js' {
  type Work = (isOverdue: boolean) => Work | null | undefined;
  type Task = { callback: Work | null };
  export function unstable_scheduleCallback(priority: number, work: Work, options?: object): Task;
  export function unstable_cancelCallback(task: Task): void;
}
