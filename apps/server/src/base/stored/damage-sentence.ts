import type { StoredFault } from './stored-files.ts';

export type Damage = {
  fault: StoredFault;
  /** Length of the file when the damage was found; null where the file is missing. */
  foundBytes: number | null;
  /** Length of the file when it was stored. */
  sizeBytes: number;
  isAccepted: boolean;
};

/** The fault of a stored file, for people: whole sentences. */
export function damageSentence({ fault, foundBytes, sizeBytes, isAccepted }: Damage): string {
  const text = `Damaged on the server: ${faultText({ fault, foundBytes, sizeBytes })}.`;
  return isAccepted ? `${text} An administrator has accepted the loss.` : text;
}

export function faultText({ fault, foundBytes, sizeBytes }: Omit<Damage, 'isAccepted'>): string {
  if (fault === 'missing') return 'the file is missing';
  if (fault === 'unreadable') return 'the disk cannot read the file';
  if (fault === 'content') return 'its bytes are not those that were stored';
  const [found, stored] = [foundBytes ?? 0, sizeBytes].map((bytes) => bytes.toLocaleString('en-US'));
  return (foundBytes ?? 0) < sizeBytes
    ? `${found} of ${stored} bytes are left`
    : `it has ${found} bytes, not ${stored}`;
}
