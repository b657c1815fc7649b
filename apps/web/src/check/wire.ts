import type { Verdict } from '@osprey/case-package';

/** A file provided by the browser, with its path within the chosen folder. */
export type ChosenFile = { path: string; file: File };

/** The chosen files: one zip, or the files of a folder. */
export type Chosen = { zip: File } | { files: ChosenFile[] };

export type ToPage =
  | { kind: 'progress'; doneBytes: number; totalBytes: number }
  | { kind: 'verdict'; verdict: Verdict }
  | { kind: 'failed'; text: string };
