import { getAisReports, missionsEvent, platformsEvent, revokedEvent } from '@osprey/contract';
import { createMatching, pointingSpread, type VesselInFrame, vesselsInFrame } from '@osprey/geo';
import type { Api } from '../../api/api.ts';
import { plainText } from '../../base/format.ts';
import type { EventBus } from '../../events/events.ts';
import { svgElement } from '../../map/overlays/svg.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import type { Signal } from '../../onscreen/signal.ts';
import type { GuestPicture, PictureGuest } from '../../player/picture/guest.ts';
import { mmsiText } from '../columns.tsx';
import type { ChosenShip } from '../ships.ts';
import { drawShips, type ShipDrawing } from './draw-ships.ts';
import { type FrameShips, inFrameNow, type ShipNow } from './in-frame-now.ts';
import { createReportsStore, type Nearby } from './reports-store.ts';
import { unheardTargets } from './unheard-targets.ts';

export type ShipsOnVideoDeps = {
  api: Api;
  bus: EventBus;
  chosen: Signal<ChosenShip | null>;
  choose: (ship: ChosenShip) => void;
};

/**
 * Minimum times between updates of the list on screen, in milliseconds: NAMES_MS when its ships change, VALUES_MS when
 * only their values change.
 */
const NAMES_MS = 100;
const VALUES_MS = 500;

/** Draws the ships in a frame, and names the moving targets that are ships. */
export const shipsOnVideo = (deps: ShipsOnVideoDeps): PictureGuest => ({ start: (picture) => start(picture, deps) });

function start({ svg, sensorId, rect }: GuestPicture, { api, bus, chosen, choose }: ShipsOnVideoDeps) {
  const layer = svgElement('g', { 'data-part': 'ships' });
  svg.append(layer);
  const matching = createMatching();
  let last: ShownFrame | null = null;
  let requested: FrameShips | null = null;
  let reported: FrameShips | null = null;
  let reportedMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const store = createReportsStore({
    fetchReports: ({ area, startUs, endUs }) =>
      api.call(getAisReports, {
        query: {
          ...{ west: area.west, south: area.south, east: area.east, north: area.north },
          ...{ start: String(startUs), end: String(endUs) },
        },
      }),
    onChange: () => draw(last),
  });

  function clear(): void {
    layer.replaceChildren();
    unheardTargets.set(sensorId, new Set());
  }

  function draw(frame: ShownFrame | null): void {
    last = frame;
    const footprint = frame?.footprint ?? null;
    if (frame === null || footprint === null) {
      clear();
      notify(frame === null ? null : nothing('noGround'));
      return;
    }
    const nearby = store.at(frame.timeUs, footprint.corners);
    if (nearby === 'reading' || nearby === 'failed') {
      clear();
      notify(nothing(nearby));
      return;
    }
    const pointing = pointingSpread(frame.values, footprint);
    const found = vesselsInFrame(nearby.vessels, { corners: footprint.corners, timeUs: frame.timeUs, pointing });
    const targets = frame.targets.flatMap(({ id, place }) => (place === null ? [] : [{ id, place }]));
    const matched = matching.at(frame.timeUs, found, targets);
    const ships = shipsOf(found, nearby, matched);
    const unheard = drawShips(layer, {
      ships: found.map((seen, at): ShipDrawing => ({ seen, ship: ships[at]! })),
      targets: frame.targets,
      heard: nearby.heard,
      chosen: chosen.get()?.mmsi ?? null,
      rect: rect(),
    });
    unheardTargets.set(sensorId, unheard);
    notify({ state: nearby.heard ? 'known' : 'noReceiver', ships, cut: nearby.cut, label: nearby.label });
  }

  function notify(ships: FrameShips | null): void {
    requested = ships;
    clearTimeout(timer);
    const waitMs = reportedMs + (keyOf(ships) === keyOf(reported) ? VALUES_MS : NAMES_MS) - performance.now();
    if (waitMs <= 0) notifyNow();
    else timer = setTimeout(notifyNow, waitMs);
  }

  function notifyNow(): void {
    clearTimeout(timer);
    [reported, reportedMs] = [requested, performance.now()];
    inFrameNow.set(sensorId, reported);
  }

  function onDown(event: PointerEvent): void {
    // While the user draws on the picture, a click sets a point and does not choose the ship there.
    if (svg.style.pointerEvents === 'auto' || !(event.target instanceof Element)) return;
    const mmsi = Number(event.target.closest('[data-mmsi]')?.getAttribute('data-mmsi') ?? Number.NaN);
    const ship = requested?.ships.find((one) => one.mmsi === mmsi);
    if (ship !== undefined) choose({ mmsi, place: ship.place });
  }

  layer.addEventListener('pointerdown', onDown);
  const unsubscribes = [
    chosen.subscribe(() => draw(last)),
    // Live platforms and running missions change often, so the reports are only refreshed; dropping them would make the
    // ships blink.
    ...[missionsEvent, platformsEvent].map(({ name }) => bus.subscribe(name, store.refresh)),
    bus.subscribe(revokedEvent.name, store.forget),
  ];
  return {
    draw,
    stop() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      layer.removeEventListener('pointerdown', onDown);
      clear();
      layer.remove();
      requested = null;
      notifyNow();
    },
  };
}

const nothing = (state: FrameShips['state']): FrameShips => ({ state, ships: [], cut: false, label: 'UNCLASSIFIED' });

/** Returns a key that changes when the ships in the list change, but not when only their values do. */
const keyOf = (shown: FrameShips | null): string =>
  shown === null ? '' : `${shown.state} ${shown.ships.map(({ mmsi, sure, target }) => `${mmsi} ${sure} ${target}`)}`;

function shipsOf(
  found: readonly VesselInFrame[],
  { vessels }: Nearby,
  matched: ReadonlyMap<number, number>,
): ShipNow[] {
  const names = new Map(vessels.map(({ mmsi, name }) => [mmsi, name]));
  const targets = new Map([...matched].map(([id, mmsi]) => [mmsi, id]));
  return found.map(({ mmsi, sure, errorM, place, state }) => ({
    ...{ mmsi, sure, errorM, place },
    name: plainText(names.get(mmsi) ?? '') || mmsiText(mmsi),
    sogKnots: state.sogKnots,
    cogDeg: state.cogDeg,
    target: targets.get(mmsi) ?? null,
  }));
}
