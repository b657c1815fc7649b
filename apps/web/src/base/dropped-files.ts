/** A file as the browser gives it, and its path in what was dropped: `flight-7/EO/one.ts`. */
export type DroppedFile = { path: string; file: File };

/** A file or folder of a drop. A file that was copied out of a page has no place on a disk, and is no entry. */
type Entry = FileSystemEntry | File;

/** Dropped or pasted entries. Call it before the first await: the browser then empties the list. */
export const entriesOf = (items: DataTransferItemList): Entry[] =>
  [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? item.getAsFile() ?? []);

/** The files of the entries and of all folders in them, until there are more than `max`. */
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
    // Browsers give a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await collect(one, files, max);
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
