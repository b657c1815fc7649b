import { chapterAddress, type ManualChapter, type ManualContents, type ManualHit } from '@osprey/contract';
import { queryOptions } from '@tanstack/react-query';

/** Query options: the manual changes only with the installed version, and is public. */
const lasting = { staleTime: Number.POSITIVE_INFINITY, retry: 1 } as const;

export const contentsQuery = queryOptions({
  ...lasting,
  queryKey: ['manual', 'contents'],
  queryFn: ({ signal }) => read<ManualContents>('/help/contents.json', signal),
});

/** Query for a chapter; its data is null if the manual has no such page. */
export const chapterQuery = (slug: string) =>
  queryOptions({
    ...lasting,
    queryKey: ['manual', 'chapter', slug],
    queryFn: ({ signal }) => read<ManualChapter>(`/help/text/${encodeURIComponent(slug)}`, signal, null),
  });

export const hitsQuery = (words: string) =>
  queryOptions({
    ...lasting,
    queryKey: ['manual', 'hits', words],
    queryFn: ({ signal }) => read<readonly ManualHit[]>(`/help/find.json?q=${encodeURIComponent(words)}`, signal),
  });

function read<Data>(address: string, signal: AbortSignal): Promise<Data>;
function read<Data>(address: string, signal: AbortSignal, missing: null): Promise<Data | null>;
async function read<Data>(address: string, signal: AbortSignal, missing?: null): Promise<Data | null> {
  const response = await fetch(address, { signal });
  if (response.status === 404 && missing === null) return null;
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as Data;
}

/**
 * Converts an address in the manual's Markdown to one of the client: chapters and pictures are below /help, other
 * addresses are unchanged.
 */
export const addressOf = (written: string): string =>
  chapterAddress(written, '/help') ?? (written.startsWith('pictures/') ? `/help/${written}` : written);
