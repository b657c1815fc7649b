import { useState } from 'react';
import { type DroppedFile, entriesOf, filesOf } from '../../base/dropped-files.ts';
import { fill, namesText } from '../../base/format.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { PageDrop } from '../../ui/PageDrop.tsx';
import { isAccepted } from '../dialog/files.ts';
import { texts as dialogTexts } from '../dialog/texts.ts';
import { texts } from './texts.ts';

/** Maximum number of files of one drop. */
export const FILES_MAX = 1000;

/** Dropped or pasted files of supported kinds, and the names of the others. */
export type Accepted = { files: DroppedFile[]; refused: { name: string }[]; more: boolean };

type Props = { onAccepted: (accepted: Accepted) => void };

/** Whether a file is one that operating systems write into folders, and not a recording. */
const isSystemFile = ({ file }: DroppedFile) =>
  file.name.startsWith('.') || /^(?:thumbs\.db|desktop\.ini)$/i.test(file.name);

/** Accepts recordings that are dropped or pasted anywhere on the page. */
export function AddByDrop({ onAccepted }: Props) {
  const { show } = useSnackbar();
  const [reading, setReading] = useState(false);

  async function addItems(items: DataTransferItemList) {
    const entries = entriesOf(items);
    setReading(true);
    const found = await filesOf(entries, FILES_MAX).catch(() => null);
    setReading(false);
    if (found === null) return show(texts.unreadable, 'error');
    const files = found.filter((one) => !isSystemFile(one));
    const accepted = files.filter(({ file }) => isAccepted(file));
    const refused = files.filter(({ file }) => !isAccepted(file)).map(({ path }) => ({ name: path }));
    if (files.length === 0) return show(texts.empty, 'warning');
    if (accepted.length === 0) return show(fill(dialogTexts.sensors.refused, { names: namesText(refused) }), 'warning');
    return onAccepted({ files: accepted.slice(0, FILES_MAX), refused, more: found.length > FILES_MAX });
  }

  return (
    <PageDrop over={texts.over} reading={reading ? texts.reading : null} onItems={(items) => void addItems(items)} />
  );
}
