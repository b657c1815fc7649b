import type { annotationExportFormats } from '@osprey/contract';
import { authorizationHeader } from '../api/credentials.ts';
import { errorOf } from '../api/http-api.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';
import type { Filter } from './useAnnotations.ts';

export type ExportFormat = (typeof annotationExportFormats)[number];
export const exportFormats: readonly ExportFormat[] = ['geojson', 'kml', 'gpx'];

/** Returns a function that saves annotations as a file: those with the given ids, or all that the table lists. */
export function useExport(): (format: ExportFormat, ids: readonly string[] | null, filter: Filter) => Promise<void> {
  const { show } = useSnackbar();
  return async (format, ids, { search, bbox }) => {
    const body = {
      format,
      ...(ids === null ? { ...(search && { search }), ...(bbox && { bbox }) } : { annotations: ids }),
    };
    try {
      const response = await fetch('/api/annotations/export', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorizationHeader() },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw await errorOf(response);
      if (response.headers.get('x-total-count') === '0') return show(texts.nothingToExport, 'info');
      const name =
        /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `annotations.${format}`;
      save(URL.createObjectURL(await response.blob()), name);
    } catch (error) {
      show(`${texts.exportFailed} ${errorText(error)}`, 'error');
    }
  };
}

function save(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
