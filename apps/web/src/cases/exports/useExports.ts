import {
  type CaseExport,
  type CaseRow,
  exportCase,
  listCaseExports,
  planCaseExport,
  releaseCaseExport,
  removeCaseExport,
} from '@osprey/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const none: readonly CaseExport[] = [];
const POLL_MS = 2000;

/** Returns the exported versions of a case, newest first. The list is polled while a version is being made. */
export function useExports(id: string) {
  const api = useApi();
  const query = useQuery({
    queryKey: ['cases', 'exports', id],
    queryFn: ({ signal }) => api.call(listCaseExports, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'Making') ? POLL_MS : false),
  });
  return { exports: query.data ?? none, loading: query.isPending, error: query.error, refetch: query.refetch };
}

/** Options of an export. `mp4`: clips are also included as MP4 files. */
export type Choices = { mp4: boolean };
const queryOf = ({ mp4 }: Choices) => (mp4 ? { mp4: '1' as const } : {});

/** Reads what an export would contain if it were made now. */
export function useExportPlan(id: string, { mp4 }: Choices) {
  const api = useApi();
  return useQuery({
    queryKey: ['cases', 'exports', id, 'plan', mp4],
    queryFn: ({ signal }) => api.call(planCaseExport, { params: { id }, query: queryOf({ mp4 }) }, { signal }),
    placeholderData: keepPreviousData,
    // Not cached, since parts may have been added in the meantime.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Returns functions that make, release and remove versions, and report the outcome to the user. */
export function useExportActs({ _id: id, number }: Pick<CaseRow, '_id' | 'number'>) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();

  async function done(work: Promise<CaseExport | { message: string }>, failed: string): Promise<boolean> {
    try {
      const answer = await work;
      if ('version' in answer) {
        const message = answer.state === 'WaitsForRelease' ? texts.waits : texts.begun;
        show(fill(message, { version: answer.version, number }));
      } else show(answer.message);
      return true;
    } catch (error) {
      show(fill(failed, { text: errorText(error) }), 'error');
      return false;
    } finally {
      await queries.invalidateQueries({ queryKey: ['cases', 'exports', id] });
    }
  }

  return {
    make: (choices: Choices) =>
      done(api.call(exportCase, { params: { id }, query: queryOf(choices) }), texts.exporting),
    release: (exportId: string) => done(api.call(releaseCaseExport, { params: { id, exportId } }), texts.releasing),
    remove: (exportId: string) => done(api.call(removeCaseExport, { params: { id, exportId } }), texts.removing),
  };
}

export type ExportActs = ReturnType<typeof useExportActs>;
