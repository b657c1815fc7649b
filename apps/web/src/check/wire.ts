import type { Verdict } from '@osprey/case-package';

/** A file as the browser hands it over; its path within what was chosen. */
export type ChosenFile = { path: string; file: File };

/** The chosen files: one zip, or the files of a folder. */
export type Chosen = { zip: File } | { files: ChosenFile[] };

export type ToPage =
  | { kind: 'progress'; doneBytes: number; totalBytes: number }
  | { kind: 'verdict'; verdict: Verdict }
  | { kind: 'failed'; text: string };
