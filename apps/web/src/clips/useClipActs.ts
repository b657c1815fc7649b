import {
  type Clip,
  type ClipContainer,
  createClip,
  deleteClips,
  orderClip,
  orderVideo,
  planClip,
  updateClip,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { BACKGROUND_BYTES, isoOf, savedAddress, startDownload } from './address.ts';
import { texts } from './texts.ts';

/** Fields of the form. */
export type ClipForm = { title: string; note: string; tags: string[] };
type Order = { file: string; format: ClipContainer; allSensors: boolean };
type Span = { missionId: string; sensorId: string; inUs: number; outUs: number };

/** Returns functions that keep, change, delete and export clips, and report the outcome to the user. */
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

  /** Resolves to `conflict` if another user changed the clip first; their version is then read. */
  async function update(clip: Clip, form: ClipForm): Promise<'done' | 'failed' | 'conflict'> {
    try {
      const body = { ...form, revision: clip.revision };
      const changed = await api.call(updateClip, { params: { id: clip._id }, body });
      show(fill(texts.updated, { title: changed.title }));
      return 'done';
    } catch (error) {
      if (isCode(error, 'revisionConflict')) return 'conflict';
      show(fill(texts.saving, { text: errorText(error) }), 'error');
      return 'failed';
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

  /**
   * Calls `ask`, which orders a file that is made in the background. Resolves to the id of the order; null if it was
   * refused.
   */
  async function orderExport(file: string, ask: () => Promise<{ id: string }>): Promise<string | null> {
    try {
      const { id } = await ask();
      show(fill(texts.ordered, { file }), 'info');
      return id;
    } catch (error) {
      show(fill(texts.failed, { text: errorText(error) }), 'error');
      return null;
    }
  }

  /** Orders a span as a zip that is made in the background. */
  function order({ missionId: mission, sensorId: sensor, inUs, outUs }: Span, { file, format, allSensors }: Order) {
    const body = { markIn: isoOf(inUs), markOut: isoOf(outUs), format, allSensors };
    return orderExport(file, () => api.call(orderVideo, { params: { mission, sensor }, body }));
  }

  /**
   * Exports a kept clip. A clip of several sensors, or a large one, is made as a zip in the background, and its id is
   * returned; any other clip is downloaded immediately.
   */
  async function save(clip: Clip, container: ClipContainer): Promise<string | null> {
    let isLarge = clip.cuts.length > 1;
    try {
      // Request the plan first, since a browser download would fail without showing the reason.
      if (!isLarge) isLarge = (await bytesOf(clip)) > BACKGROUND_BYTES;
    } catch (error) {
      show(fill(texts.failed, { text: errorText(error) }), 'error');
      return null;
    }
    if (isLarge && clip.cuts.every(({ state }) => state === 'shown')) {
      const body = { format: container };
      return orderExport(clip.title, () => api.call(orderClip, { params: { id: clip._id }, body }));
    }
    show(fill(texts.exporting, { file: clip.title }), 'info');
    startDownload(savedAddress(clip._id, container));
    return null;
  }

  /** @throws TransportError if the clip cannot be cut, for example because its recording is missing */
  async function bytesOf({ missionId: mission, cuts }: Clip): Promise<number> {
    const [cut] = cuts;
    if (cut?.sensorId == null) return 0;
    const query = { markIn: isoOf(cut.startTime), markOut: isoOf(cut.endTime) };
    return (await api.call(planClip, { params: { mission, sensor: cut.sensorId }, query })).sizeBytes;
  }

  return { keep, update, remove, save, order };
}
