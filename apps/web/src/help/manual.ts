import { queryOptions } from '@tanstack/react-query';

export type Contents = readonly { slug: string; title: string }[];
export type Chapter = { title: string; text: string };
export type Hit = { slug: string; anchor: string; page: string; title: string; text: string };

/** The manual is part of the installed version: it changes only with it, and anybody may read it. */
const lasting = { staleTime: Number.POSITIVE_INFINITY, retry: 1 } as const;

export const contentsQuery = queryOptions({
  ...lasting,
  queryKey: ['manual', 'contents'],
  queryFn: ({ signal }) => read<Contents>('/help/contents.json', signal),
});

/** Null for a page that the manual does not have. */
export const chapterQuery = (slug: string) =>
  queryOptions({
    ...lasting,
    queryKey: ['manual', 'chapter', slug],
    queryFn: ({ signal }) => read<Chapter>(`/help/text/${encodeURIComponent(slug)}`, signal, null),
  });

export const hitsQuery = (words: string) =>
  queryOptions({
    ...lasting,
    queryKey: ['manual', 'hits', words],
    queryFn: ({ signal }) => read<readonly Hit[]>(`/help/find.json?q=${encodeURIComponent(words)}`, signal),
  });

function read<Data>(address: string, signal: AbortSignal): Promise<Data>;
function read<Data>(address: string, signal: AbortSignal, missing: null): Promise<Data | null>;
async function read<Data>(address: string, signal: AbortSignal, missing?: null): Promise<Data | null> {
  const response = await fetch(address, { signal });
  if (response.status === 404 && missing === null) return null;
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as Data;
}

/** Anchor of a heading, as links in the manual and the server's search write it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** `03-x.md#y` of the manual leads to /help/x#y, pictures are below /help; every other address stays. */
export function addressOf(written: string): string {
  const found = /^\d+-([a-z-]+)\.md(#.*)?$/.exec(written);
  if (found) return `/help/${found[1]}${found[2] ?? ''}`;
  return written.startsWith('pictures/') ? `/help/${written}` : written;
}
