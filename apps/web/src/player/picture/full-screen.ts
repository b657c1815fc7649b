import { useSyncExternalStore } from 'react';

/** State of full screen, and the panels over the picture of the leading sensor in it. */
export type FullScreen = { on: boolean; map: boolean; telemetry: boolean };

const OFF: FullScreen = { on: false, map: false, telemetry: false };

const store = { state: OFF, listeners: new Set<() => void>() };

function set(state: FullScreen) {
  store.state = state;
  for (const listener of store.listeners) listener();
}

function onBrowserChange() {
  if (document.fullscreenElement === null) set(OFF);
}

function subscribe(listener: () => void): () => void {
  if (store.listeners.size === 0) document.addEventListener('fullscreenchange', onBrowserChange);
  store.listeners.add(listener);
  return () => {
    store.listeners.delete(listener);
    if (store.listeners.size === 0) document.removeEventListener('fullscreenchange', onBrowserChange);
  };
}

export const fullScreen = (): FullScreen => store.state;

export const useFullScreen = (): FullScreen => useSyncExternalStore(subscribe, fullScreen);

/**
 * Enters or leaves full screen. The whole document fills the screen, not only the picture, so that the label bar,
 * dialogs and messages remain visible; the stage then shows the leading sensor over the page. If the browser refuses,
 * as on some phones, the picture fills the window.
 */
export function toggleFullScreen(): void {
  if (store.state.on) {
    leaveFullScreen();
    return;
  }
  set({ ...OFF, on: true });
  document.documentElement.requestFullscreen?.().catch(() => undefined);
}

export function leaveFullScreen(): void {
  set(OFF);
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
}

/** Shows or hides a panel over the full-screen picture, independently of the panel next to the picture. */
export function toggleOver(panel: 'map' | 'telemetry'): void {
  set({ ...store.state, [panel]: !store.state[panel] });
}
