import type { DragEvent } from 'react';
import { z } from 'zod';

/** MIME type of drag data within the proposal: a JSON list of file ids. */
export const FILES_DRAGGED = 'application/x-osprey-files';

const ids = z.array(z.int().nonnegative()).max(1000);

export const isDraggingFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(FILES_DRAGGED);

/** Returns the ids of the dropped files; an empty list if something else was dropped. */
export function draggedFiles({ dataTransfer }: DragEvent): number[] {
  try {
    return ids.parse(JSON.parse(dataTransfer.getData(FILES_DRAGGED)));
  } catch {
    return [];
  }
}
