import type { DragEvent } from 'react';
import { z } from 'zod';

/** Type of what is dragged within the proposal: ids of files. */
export const FILES_DRAGGED = 'application/x-osprey-files';

const ids = z.array(z.int().nonnegative()).max(1000);

export const isDraggingFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(FILES_DRAGGED);

/** The ids that were dropped; none where something else was. */
export function draggedFiles({ dataTransfer }: DragEvent): number[] {
  try {
    return ids.parse(JSON.parse(dataTransfer.getData(FILES_DRAGGED)));
  } catch {
    return [];
  }
}
