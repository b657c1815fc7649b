import type { AisView } from '@osprey/contract';

/** Sends the part of the map on which a page shows ships, and sends it again over a new socket. */
export function shipWatch(emit: (view: AisView) => void) {
  let view: AisView = null;
  return {
    view(next: AisView): void {
      if (JSON.stringify(next) === JSON.stringify(view)) return;
      view = next;
      emit(view);
    },
    connected(): void {
      if (view !== null) emit(view);
    },
  };
}
