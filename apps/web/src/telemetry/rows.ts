import { st0601Tags, type TagGroup } from '@osprey/klv/tags';
import { z } from 'zod';
import { readStoredJson, writeStored } from '../base/keys.ts';
import { texts } from './texts.ts';
import { nameOf } from './values.ts';

const PINNED_KEY = 'telemetryPinned';

/** Tags that are pinned by default, since most viewers want to see them. */
const PINNED_AT_FIRST = ['13', '14', '15', '5', '56', '21', '16'];

/** Order of the groups from top to bottom. */
const GROUPS: readonly TagGroup[] = [
  'platform',
  'sensor',
  'image',
  'target',
  'time',
  'identity',
  'security',
  'environment',
  'stores',
  'other',
];

type RowGroup = { key: TagGroup | 'pinned'; title: string; tags: string[] };

export function readPinned(): string[] {
  return z.array(z.string()).safeParse(readStoredJson(PINNED_KEY)).data ?? PINNED_AT_FIRST;
}

export function writePinned(tags: readonly string[]): void {
  writeStored(PINNED_KEY, JSON.stringify(tags));
}

type Requested = { tags: readonly string[]; pinned: readonly string[]; search: string };

/** Groups the existing items: pinned ones first, the others by meaning. The search compares names and tag numbers. */
export function groupRows({ tags, pinned, search }: Requested): RowGroup[] {
  const requested = tags.filter((tag) => matches(tag, search));
  const groups: RowGroup[] = GROUPS.map((key) => ({
    key,
    title: texts.groups[key],
    tags: requested
      .filter((tag) => groupOf(tag) === key && !pinned.includes(tag))
      .sort((a, b) => Number(a) - Number(b)),
  }));
  const first: RowGroup = { key: 'pinned', title: texts.pinned, tags: pinned.filter((tag) => requested.includes(tag)) };
  return [first, ...groups].filter((group) => group.tags.length > 0);
}

const groupOf = (tag: string): TagGroup => st0601Tags.get(Number(tag))?.group ?? 'other';

function matches(tag: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${nameOf(tag, 'full')} ${nameOf(tag, 'short')} ${tag}`.toLowerCase();
  return words.every((word) => (/^\d+$/.test(word) ? tag === word : text.includes(word)));
}
