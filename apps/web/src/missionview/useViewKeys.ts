import { useEffect, useRef } from 'react';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { fullScreen, toggleOver } from '../player/picture/full-screen.ts';
import { toggleSound } from '../player/picture/sound.ts';
import type { FeatureCommands } from './feature-commands.ts';
import { belongsToFocus, commandOf, nextSpeed, type ViewCommand } from './keys.ts';
import type { Panels } from './layout.ts';

type Panel = 'map' | 'telemetry';

type KeyActions = {
  clock: MissionClock;
  /** The view is collapsed, or another panel replaces it: pictures that are hidden are neither played nor moved. */
  hidden?: boolean;
  lead: (index: number) => void;
  fullScreen: () => void;
  panels: Pick<Panels, Panel>;
  changePanels: (fields: Partial<Panels>) => void;
  showKeys: () => void;
  /** Omitted if the view has no such panel; its keys are then left to the browser. */
  toggleHealth?: () => void;
  toggleFloatingMap?: () => void;
  exchange?: () => void;
  /** Null if the page has no features; their keys are then left to the browser. */
  features?: Pick<FeatureCommands, 'run' | 'keys'> | null;
  /** Called if no sensor leads, so that there is nothing to play. */
  noMaster: () => void;
};

/** Handles the keys of the mission view, unless a text field has the focus. */
export function useViewKeys(actions: KeyActions): void {
  const now = useRef(actions);
  now.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || belongsToFocus(event.target, event.key)) return;
      const command = commandOf(event, now.current.features?.keys);
      if (!command || (now.current.hidden && command.do !== 'list' && command.do !== 'health')) return;
      if (isWithout(command, now.current)) return;
      event.preventDefault();
      // Holding down a key repeats stepping and skipping only; other commands run once.
      if (!event.repeat || command.do === 'skip' || command.do === 'step') run(command, now.current);
    };
    // Prevents the release of the space bar from pressing the button that has the focus.
    const onKeyUp = (event: KeyboardEvent) => {
      if (event.key === ' ' && event.target instanceof HTMLElement && !belongsToFocus(event.target, ' '))
        event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('keyup', onKeyUp);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('keyup', onKeyUp);
    };
  }, []);
}

/** Returns whether the view lacks the panel that the command is for. */
function isWithout(command: ViewCommand, { toggleHealth, toggleFloatingMap, exchange }: KeyActions): boolean {
  if (command.do === 'exchange') return !exchange || fullScreen().on;
  if (command.do === 'health') return !toggleHealth || fullScreen().on;
  return command.do === 'floatingMap' && (!toggleFloatingMap || fullScreen().on);
}

function run(command: ViewCommand, actions: KeyActions) {
  switch (command.do) {
    case 'lead':
      return actions.lead(command.index);
    case 'fullScreen':
      return actions.fullScreen();
    case 'map':
    case 'telemetry':
      return toggle(command.do, actions);
    case 'health':
      return actions.toggleHealth?.();
    case 'floatingMap':
      return actions.toggleFloatingMap?.();
    case 'exchange':
      return actions.exchange?.();
    case 'sound':
      return toggleSound(actions.clock.get().leader);
    case 'feature':
      return actions.features?.run(command.command);
    case 'list':
      return actions.showKeys();
    default:
      return actions.clock.get().leader === null ? actions.noMaster() : runClock(command, actions.clock);
  }
}

function toggle(panel: Panel, { panels, changePanels }: KeyActions) {
  if (fullScreen().on) toggleOver(panel);
  else changePanels({ [panel]: !panels[panel] });
}

function runClock(command: ViewCommand, clock: MissionClock) {
  const { playing, speed, startUs, endUs } = clock.get();
  switch (command.do) {
    case 'toggle':
      return clock.toggle();
    case 'pause':
      return clock.pause();
    case 'faster':
      return playing ? clock.setSpeed(nextSpeed(speed, 1)) : clock.play();
    case 'slower':
      return clock.setSpeed(nextSpeed(speed, -1));
    case 'skip':
      return clock.skip(command.seconds * 1e6);
    case 'step':
      return void clock.step(command.direction);
    case 'start':
      return clock.seek(startUs);
    case 'end':
      return clock.seek(endUs);
  }
}
