import { createExportTicket } from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { authorizationHeader } from '../../api/credentials.ts';
import { errorOf } from '../../api/http-api.ts';

/** Hands a finished archive to the browser's own downloads: nothing of it passes through this page. */
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

/** A list is small: it is fetched and saved under the name that the server gave it. */
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
