import { createExportTicket } from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { authorizationHeader } from '../../api/credentials.ts';
import { errorOf } from '../../api/http-api.ts';

/** Downloads a finished archive by the browser's download manager, so that no data passes through this page. */
export async function download(api: Api, id: string): Promise<void> {
  const { ticket } = await api.call(createExportTicket, { params: { id } });
  save(`/api/exports/${id}?ticket=${encodeURIComponent(ticket)}`, '');
}

function save(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}

/** Fetches a list and saves it under the name given by the server. Lists are small enough to be held in memory. */
export async function downloadList(format: 'json' | 'csv', missions: readonly string[]): Promise<void> {
  const response = await fetch('/api/missions/exportList', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...authorizationHeader(),
    },
    body: JSON.stringify({ format, missions, includeBookmarks: true }),
  });
  if (!response.ok) throw await errorOf(response);
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `missions.${format}`;
  const url = URL.createObjectURL(await response.blob());
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
