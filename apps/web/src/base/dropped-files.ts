/** A file provided by the browser, with its path within the dropped folder: `flight-7/EO/one.ts`. */
export type DroppedFile = { path: string; file: File };

/**
 * A dropped file or folder. A file that was copied from a page is not on a disk and therefore has no FileSystemEntry.
 */
type Entry = FileSystemEntry | File;

/**
 * Returns the dropped or pasted entries. Must be called before the first await, since the browser then empties the
 * list.
 */
export const entriesOf = (items: DataTransferItemList): Entry[] =>
  [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? item.getAsFile() ?? []);

/** Returns the files of the entries and of all folders within them; stops when there are more than `max`. */
export async function filesOf(entries: readonly Entry[], max: number): Promise<DroppedFile[]> {
  const files: DroppedFile[] = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push({ path: entry.name, file: entry });
    else await collect(entry, files, max);
  }
  return files;
}

async function collect(entry: FileSystemEntry, files: DroppedFile[], max: number): Promise<void> {
  if (files.length > max) return;
  if (entry.isFile) {
    files.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry as FileSystemFileEntry) });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // Browsers return at most 100 entries per call.
    const children = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (children.length === 0) return;
    for (const one of children) await collect(one, files, max);
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
