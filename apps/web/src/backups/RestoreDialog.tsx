import type { Backup } from '@osprey/contract';
import { fill } from '../base/format.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { texts as ui } from '../ui/texts.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { texts } from './texts.ts';

const words = texts.restore;

type Props = { backup: Backup; folder: string; onClose: () => void };

/**
 * Dialog with the command that restores a backup. There is no button for it, since a running server is never replaced
 * while users work with it.
 */
export function RestoreDialog({ backup: { name, securityClassification }, folder, onClose }: Props) {
  const command = `OSPREY_DATA=/srv/osprey npm run backup -- restore ${name} --backup-dir '${folder}' --backup-key-file ./backup.key`;
  return (
    <CopyDialog
      title={fill(words.title, { name })}
      mark={<LabelMark label={securityClassification} />}
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
