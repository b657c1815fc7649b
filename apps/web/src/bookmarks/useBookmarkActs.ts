import { type Bookmark, createBookmark, deleteBookmarks, restoreBookmarks, updateBookmark } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { linkToBookmark } from './link.ts';
import { texts } from './texts.ts';
import { showAtOnce } from './useBookmarks.ts';

/** Fields of the form. */
export type BookmarkForm = { title: string; text: string; tags: string[]; color: string };

/** The frame to be bookmarked: a sensor and a time in UTC microseconds. */
export type MarkedFrame = { missionId: string; sensorId: string; timeUs: number };

/** Returns functions that create, change and delete bookmarks, and report the outcome to the user. */
export function useBookmarkActs() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { alert } = useAlert();

  /**
   * Resolves to null if the bookmark was not created. `quiet`: no message is shown, since the next element on screen
   * confirms the bookmark.
   */
  async function create(frame: MarkedFrame, form: BookmarkForm, { quiet = false } = {}): Promise<Bookmark | null> {
    const { missionId, sensorId, timeUs } = frame;
    const place = { missionIdOrName: missionId, sensorIdOrName: sensorId, startTime: timeUs, position: 0 };
    try {
      const made = await api.call(createBookmark, { body: { ...place, ...form } });
      showAtOnce(queries, missionId, (before) => [...before.filter(({ _id }) => _id !== made._id), made]);
      if (!quiet) show(made.message);
      return made;
    } catch (error) {
      alert('Error', fill(texts.creating, { detail: errorText(error) }));
      return null;
    }
  }

  /** Resolves to `conflict` if another user changed the bookmark first; the newest version is then read. */
  async function update(before: Bookmark, form: Partial<BookmarkForm>): Promise<Bookmark | 'conflict' | null> {
    try {
      const body = { ...form, revision: before.revision };
      const changed = await api.call(updateBookmark, { params: { id: before._id }, body });
      showAtOnce(queries, before.missionId, (all) => all.map((one) => (one._id === changed._id ? changed : one)));
      show(fill(texts.updated, { title: changed.title }));
      return changed;
    } catch (error) {
      void queries.invalidateQueries({ queryKey: ['bookmarks', before.missionId] });
      if (isCode(error, 'revisionConflict')) return 'conflict';
      alert('Error', fill(texts.editing, { detail: errorText(error) }));
      return null;
    }
  }

  async function restore(gone: readonly Bookmark[]): Promise<void> {
    const ids = gone.map(({ _id }) => _id);
    try {
      await api.call(restoreBookmarks, { body: { bookmarks: ids } });
      putBack(gone);
      show(fill(texts.restored, { titles: titlesOf(gone) }));
    } catch (error) {
      show(fill(texts.restoring, { detail: errorText(error) }), 'error');
    }
  }

  function putBack(gone: readonly Bookmark[]) {
    for (const one of gone) {
      showAtOnce(queries, one.missionId, (all) => [...all.filter(({ _id }) => _id !== one._id), one]);
    }
  }

  /**
   * Deletes all given bookmarks with one call. They can be restored while the message is shown. Resolves to false if
   * they could not be deleted.
   */
  async function remove(chosen: readonly Bookmark[]): Promise<boolean> {
    if (chosen.length === 0) return false;
    const ids = new Set(chosen.map(({ _id }) => _id));
    for (const { missionId } of chosen) showAtOnce(queries, missionId, (all) => all.filter(({ _id }) => !ids.has(_id)));
    try {
      const { message } = await api.call(deleteBookmarks, { body: { bookmarks: [...ids] } });
      show(message, 'success', { label: texts.undo, onClick: () => void restore(chosen) });
      return true;
    } catch (error) {
      putBack(chosen);
      show(fill(texts.deleting, { detail: errorText(error) }), 'error');
      return false;
    }
  }

  async function copyLink(bookmark: Bookmark): Promise<void> {
    const link = linkToBookmark(bookmark);
    try {
      await navigator.clipboard.writeText(link);
      show(texts.copied);
    } catch {
      show(fill(texts.copyFailed, { link }), 'warning');
    }
  }

  return { create, update, remove, copyLink };
}

const titlesOf = (bookmarks: readonly Bookmark[]): string => bookmarks.map(({ title }) => title).join(', ');
