import {
  addCaseComment,
  type CaseComment,
  listCaseComments,
  strikeCaseComment,
  updateCaseComment,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const none: readonly CaseComment[] = [];
const words = texts.comments;

/** Returns the comments on a case, oldest first, and functions to add, change and delete them. */
export function useComments(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const query = useQuery({
    queryKey: ['cases', 'comments', id],
    queryFn: ({ signal }) => api.call(listCaseComments, { params: { id } }, { signal }),
  });

  async function done(work: Promise<unknown>, failed: string): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      show(fill(failed, { text: errorText(error) }), 'error');
      return false;
    } finally {
      await queries.invalidateQueries({ queryKey: ['cases'] });
    }
  }

  return {
    comments: query.data ?? none,
    loading: query.isPending,
    error: query.error,
    refetch: query.refetch,
    add: (text: string) => done(api.call(addCaseComment, { params: { id }, body: { text } }), words.saving),
    update: (commentId: string, text: string) =>
      done(api.call(updateCaseComment, { params: { id, commentId }, body: { text } }), words.saving),
    strike: (commentId: string) => done(api.call(strikeCaseComment, { params: { id, commentId } }), words.striking),
  };
}

export type Comments = ReturnType<typeof useComments>;
