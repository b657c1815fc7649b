import type { Chosen, ChosenFile } from './wire.ts';

/** More files than this are no package of a case, and would only fill the memory. */
const FILES_MAX = 25_000;

/** Dropped files: one zip, or one folder, or the files of one. */
export async function dropped(items: DataTransferItemList): Promise<Chosen | null> {
  // At once: the list is empty after the first pause.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const [only] = entries;
  if (entries.length === 1 && only?.isFile) return { zip: await fileOf(only as FileSystemFileEntry) };
  const files: ChosenFile[] = [];
  for (const entry of entries) await collect(entry, files);
  return files.length === 0 ? null : { files: withoutTop(files) };
}

export const picked = (list: FileList): Chosen | null =>
  list.length === 0
    ? null
    : { files: withoutTop([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))) };

async function collect(entry: FileSystemEntry, files: ChosenFile[]): Promise<void> {
  if (files.length > FILES_MAX) return;
  if (entry.isFile) {
    files.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry as FileSystemFileEntry) });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // Browsers hand over a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await collect(one, files);
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** Paths begin below the folder that holds the manifest: the chosen one, or the only one in it. */
function withoutTop(files: ChosenFile[]): ChosenFile[] {
  const manifest = files
    .map(({ path }) => path)
    .filter((path) => path.split('/').at(-1) === 'manifest.json')
    .sort((a, b) => a.split('/').length - b.split('/').length)[0];
  const top = manifest?.slice(0, -'manifest.json'.length) ?? '';
  return files.map(({ path, file }) => ({ path: path.startsWith(top) ? path.slice(top.length) : `../${path}`, file }));
}
