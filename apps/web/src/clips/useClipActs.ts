import { type Clip, createClip, deleteClips, updateClip } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { isoOf, startDownload } from './address.ts';
import { texts } from './texts.ts';

/** What a user fills in. */
export type ClipForm = { title: string; note: string; tags: string[] };
type Span = { missionId: string; sensorId: string; inUs: number; outUs: number };

/** Keeps, changes, deletes and exports clips, and says what became of it. */
export function useClipActs() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const again = (missionId: string) => void queries.invalidateQueries({ queryKey: ['clips', missionId] });

  async function keep({ missionId, sensorId, inUs, outUs }: Span, form: ClipForm): Promise<Clip | null> {
    const marks = { markIn: isoOf(inUs), markOut: isoOf(outUs) };
    try {
      const body = { missionIdOrName: missionId, sensors: [sensorId], ...marks, ...form };
      const made = await api.call(createClip, { body });
      show(made.message);
      again(missionId);
      return made;
    } catch (error) {
      show(fill(texts.saving, { text: errorText(error) }), 'error');
      return null;
    }
  }

  async function update(clip: Clip, form: ClipForm): Promise<boolean> {
    try {
      const body = { ...form, revision: clip.revision };
      const changed = await api.call(updateClip, { params: { id: clip._id }, body });
      show(fill(texts.updated, { title: changed.title }));
      return true;
    } catch (error) {
      const isConflict = isCode(error, 'revisionConflict');
      show(isConflict ? texts.changedMeanwhile : fill(texts.saving, { text: errorText(error) }), 'error');
      return isConflict;
    } finally {
      again(clip.missionId);
    }
  }

  async function remove(clip: Clip): Promise<void> {
    try {
      const { message } = await api.call(deleteClips, { body: { clips: [clip._id] } });
      show(message);
    } catch (error) {
      show(fill(texts.deleting, { text: errorText(error) }), 'error');
    } finally {
      again(clip.missionId);
    }
  }

  function save(clip: Clip): void {
    show(fill(texts.exporting, { file: clip.title }), 'info');
    startDownload(`/api/clips/${clip._id}/export?sidecar=true`);
  }

  return { keep, update, remove, save };
}
