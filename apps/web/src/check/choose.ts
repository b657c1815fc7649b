import { entriesOf, filesOf } from '../base/dropped-files.ts';
import type { Chosen, ChosenFile } from './wire.ts';

/** Maximum number of files in a package; more would only use up memory. */
const FILES_MAX = 25_000;

/** Returns the dropped files: one zip, one folder, or the files of a folder. */
export async function readDropped(items: DataTransferItemList): Promise<Chosen | null> {
  const entries = entriesOf(items);
  const files = await filesOf(entries, FILES_MAX);
  const [only] = files;
  const [entry] = entries;
  if (only && entry && entries.length === 1 && (entry instanceof File || entry.isFile)) return { zip: only.file };
  return files.length === 0 ? null : { files: withoutTop(files) };
}

export const picked = (list: FileList): Chosen | null =>
  list.length === 0
    ? null
    : { files: withoutTop([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))) };

/** Makes paths relative to the folder that holds the manifest, which is the chosen folder or one within it. */
function withoutTop(files: ChosenFile[]): ChosenFile[] {
  const manifest = files
    .map(({ path }) => path)
    .filter((path) => path.split('/').at(-1) === 'manifest.json')
    .sort((a, b) => a.split('/').length - b.split('/').length)[0];
  const top = manifest?.slice(0, -'manifest.json'.length) ?? '';
  return files.map(({ path, file }) => ({ path: path.startsWith(top) ? path.slice(top.length) : `../${path}`, file }));
}
