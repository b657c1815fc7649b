import { fill } from '../app/format.ts';
import { texts as ui } from '../ui/texts.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { texts } from './texts.ts';

const words = texts.restore;

type Props = { name: string; folder: string; onClose: () => void };

/** The one command that restores a backup: a running server is never replaced under its users. */
export function RestoreDialog({ name, folder, onClose }: Props) {
  const command = `OSPREY_DATA=/srv/osprey npm run backup -- restore ${name} --backup-dir '${folder}' --backup-key-file ./backup.key`;
  return (
    <CopyDialog
      title={fill(words.title, { name })}
      lead={words.lead}
      label={words.title}
      content={command}
      copy={words.copy}
      copied={words.copied}
      done={ui.close}
      onClose={onClose}
    />
  );
}
