import type { Verdict } from '@osprey/case-package';

type Tone = 'good' | 'care' | 'bad';

export type Outcome = {
  tone: Tone;
  title: string;
  /** Complete sentences. */
  texts: string[];
  facts: [name: string, value: string][];
  faults: string[];
};

/** Normalizes a fingerprint that was typed or pasted, in any grouping; null if it is empty. */
export function plainFingerprint(typed: string): string | null {
  const plain = typed.toLowerCase().replace(/[^0-9a-f]/g, '');
  return plain === '' ? null : plain;
}

/** Formats a fingerprint in groups of four digits, so that people can compare it. */
export const grouped = (fingerprint: string): string => fingerprint.match(/.{1,4}/g)?.join(' ') ?? '';

/** Returns the texts of the page for a verdict and the fingerprint that the user has entered. */
export function outcomeOf(verdict: Verdict, typed: string): Outcome {
  const { holds, fingerprint } = verdict;
  const expected = plainFingerprint(typed);
  const isKnown = expected !== null && expected === fingerprint;
  const base = { facts: factsOf(verdict), faults: verdict.faults.map(({ text }) => text) };
  if (!holds) {
    const texts = ['It differs from what was signed. Ask for another copy, and keep this one.'];
    return { ...base, tone: 'bad', title: 'This package was changed', texts };
  }
  if (expected !== null && !isKnown) {
    const texts = [
      'Its files fit its signature, but the signature is by another key than the one whose fingerprint you gave. Anybody could have made it.',
    ];
    return { ...base, tone: 'bad', title: 'Signed by another key', texts };
  }
  if (isKnown) {
    const texts = ['Each file is what was signed, by the key whose fingerprint you gave.'];
    return { ...base, tone: 'good', title: 'This package is unchanged', texts };
  }
  const texts = [
    'Each file is what was signed, but by a key that is not known here. Compare its fingerprint with the one on the About page of the server.',
  ];
  return { ...base, tone: 'care', title: 'Unchanged since it was signed', texts };
}

function factsOf({ manifest, fingerprint, files, bytes }: Verdict): Outcome['facts'] {
  const facts: Outcome['facts'] = [];
  if (manifest !== null) {
    const { number, name, version } = manifest.case;
    facts.push(
      ['Case', `${number}: ${name}`],
      ['Version', `${version}, ${utc(manifest.made)}`],
      ['Label', manifest.label],
    );
    facts.push(['Made by', manifest.maker]);
    if (manifest.releasedBy !== null) facts.push(['Released by', manifest.releasedBy]);
    facts.push(['Server', manifest.server.name], ['Read', `${files} files, ${sizeText(bytes)}`]);
  }
  if (fingerprint !== null) facts.push(['Key', grouped(fingerprint)]);
  return facts;
}

const utc = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
