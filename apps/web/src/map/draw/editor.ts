import type { AnnotationFeature, FeatureProperties, FeatureSymbol } from '@osprey/contract';
import { outlineFault } from '@osprey/geo';
import { bearing, circle, lengthM, type Place, rectangle, rings, sector } from './figures.ts';
import { crossesPath, type Path, removeVertex, storedFeature } from './geometry.ts';
import { asFree, dragged, type Handle, handlesOf, shifted } from './handles.ts';
import { hitShape, type Pixel, type ToPixel } from './hit.ts';

export const drawTools = ['rectangle', 'polygon', 'line', 'point', 'circle', 'rings', 'sector'] as const;
export type DrawTool = (typeof drawTools)[number];
export type Tool = 'select' | DrawTool | 'measure';

export type Drawn = { id: number; feature: AnnotationFeature };

export type Style = Pick<
  FeatureProperties,
  'stroke' | 'stroke-width' | 'stroke-opacity' | 'fill-color' | 'fill-opacity' | 'symbol'
>;

export const firstStyle: Style = {
  stroke: '#F2C14E',
  'stroke-width': 3,
  'stroke-opacity': 1,
  'fill-color': '#F2C14E',
  'fill-opacity': 0.2,
};

/** Reason why a drawn shape was refused. */
export type Refusal = 'crosses' | 'tooMany';

export type EditorState = {
  tool: Tool;
  shapes: readonly Drawn[];
  /** Id of the selected shape, and (`vertex`) the vertex of it that Delete removes. */
  chosen: number | null;
  vertex: Path | null;
  /** Vertices of the shape that is being drawn or measured. */
  path: readonly Place[];
  pointer: Place | null;
  /** Style for the next shape. */
  style: Style;
  refused: Refusal | null;
  canUndo: boolean;
  canRedo: boolean;
};

type Options = {
  shapes: readonly AnnotationFeature[];
  style: Style;
  /** Limits of the drawing; null: nothing can be changed. */
  limit: { features: number; vertices: number } | null;
  /** Receives a shape that was drawn; the shape is then not added, and the tool stays active. */
  take?: (feature: AnnotationFeature) => void;
};

/** Maximum number of undo steps. */
const STEPS = 100;
/**
 * Distance in pixels: a pointer that has moved less has not dragged the map, and a pointer closer than this hits a
 * handle. A shape is dragged after half of this distance.
 */
const NEAR_PX = 8;

type Held =
  | { kind: 'handle'; handle: Handle; before: AnnotationFeature }
  | { kind: 'shape'; from: Place; before: AnnotationFeature }
  | null;

export type Editor = ReturnType<typeof createEditor>;

/**
 * Editor state with the drawn, selected and changed shapes, independent of any map: callers pass pointer positions and
 * keys. Each finished change is one undo step.
 */
export function createEditor({ shapes: first, style, limit, take }: Options) {
  const listeners = new Set<() => void>();
  let nextId = 1;
  const drawnOf = (feature: AnnotationFeature): Drawn => ({ id: nextId++, feature });
  let past: (readonly Drawn[])[] = [];
  let future: (readonly Drawn[])[] = [];
  /** Name of the last step: consecutive changes with the same name are combined to one undo step. */
  let lastStep: string | null = null;
  let held: Held = null;
  let pressed: { at: Pixel; moved: boolean } | null = null;
  let state: EditorState = {
    tool: 'select',
    shapes: first.map(drawnOf),
    chosen: null,
    vertex: null,
    path: [],
    pointer: null,
    style,
    refused: null,
    canUndo: false,
    canRedo: false,
  };

  function set(change: Partial<EditorState>) {
    state = { ...state, ...change, canUndo: past.length > 0, canRedo: future.length > 0 };
    for (const listener of listeners) listener();
  }

  /**
   * Applies a change. `step`: name of a continuous change, for example while a slider is moved; null: a single change.
   */
  function commit(shapes: readonly Drawn[], rest: Partial<EditorState> = {}, step: string | null = null) {
    if (limit === null) return;
    if (step === null || step !== lastStep) past = [...past, state.shapes].slice(-STEPS);
    lastStep = step;
    future = [];
    set({ shapes, refused: null, ...rest });
  }

  const chosenShape = () => state.shapes.find(({ id }) => id === state.chosen) ?? null;
  const replaced = (id: number, feature: AnnotationFeature) =>
    state.shapes.map((one) => (one.id === id ? { id, feature } : one));

  function addShape(feature: AnnotationFeature) {
    if (take) {
      set({ path: [], refused: null });
      return take(feature);
    }
    if (limit && state.shapes.length >= limit.features) return set({ path: [], refused: 'tooMany' });
    const shape = drawnOf({ ...feature, properties: { ...ofTool(feature, state.style), ...feature.properties } });
    commit([...state.shapes, shape], { path: [], tool: 'select', chosen: shape.id, vertex: null });
  }

  function finishPath() {
    const { tool, path, pointer } = state;
    if (tool === 'measure') return set({ path: [] });
    if (isTwoPlaced(tool)) {
      const figure = pointer && lengthM(path[0]!, pointer) > 0 ? figureOf(tool, [path[0]!, pointer]) : null;
      return figure ? addShape(figure) : undefined;
    }
    if (tool === 'line' && path.length >= 2) {
      return addShape({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [...path] } });
    }
    if (tool !== 'polygon' || path.length < 3) return;
    const geometry = { type: 'Polygon' as const, coordinates: [[...path, path[0]!]] };
    if (outlineFault(geometry) !== null) return set({ refused: 'crosses' });
    addShape({ type: 'Feature', properties: {}, geometry });
  }

  /** Handles a click with a drawing tool. */
  function put(place: Place, isNear: (other: Place) => boolean) {
    const { tool, path } = state;
    const [from] = path;
    const last = path.at(-1);
    switch (tool) {
      case 'point':
        return addShape({ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: place } });
      case 'rectangle':
      case 'circle':
      case 'rings':
        if (from === undefined) return set({ path: [place], refused: null });
        return isNear(from) ? undefined : addShape(figureOf(tool, [from, place])!);
      case 'sector': {
        if (last !== undefined && isNear(last)) return;
        const next = [...path, place];
        return next.length < 3 ? set({ path: next, refused: null }) : addShape(figureOf(tool, next)!);
      }
      case 'line':
      case 'polygon':
      case 'measure': {
        if (last !== undefined && isNear(last)) return finishPath();
        if (tool === 'polygon' && from !== undefined && path.length >= 3 && isNear(from)) return finishPath();
        if (tool === 'polygon' && crossesPath(path, place)) return set({ refused: 'crosses' });
        return set({ path: [...path, place], refused: null });
      }
    }
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    chosenShape,

    /** Returns all features in the form that the server accepts. */
    features: (): AnnotationFeature[] => state.shapes.map(({ feature }) => storedFeature(feature)),

    setTool(tool: Tool) {
      set({ tool, path: [], refused: null, ...(tool !== 'select' && { chosen: null, vertex: null }) });
    },

    choose(id: number | null) {
      lastStep = null;
      set({ chosen: id, vertex: null, tool: 'select', path: [] });
    },

    /** @returns whether the map must not move while the pointer moves */
    down(at: Pixel, place: Place, toPixel: ToPixel): boolean {
      pressed = { at, moved: false };
      held = null;
      if (state.tool !== 'select' || limit === null) return false;
      const chosen = chosenShape();
      if (chosen === null) return false;
      const handle = nearest(handlesOf(chosen.feature), at, toPixel);
      if (handle !== null) {
        held = { kind: 'handle', handle, before: chosen.feature };
        set({ vertex: handle.kind === 'vertex' ? handle.path : null });
        return true;
      }
      if (!hitShape(chosen.feature, at, toPixel)) return false;
      held = { kind: 'shape', from: place, before: chosen.feature };
      return true;
    },

    move(at: Pixel, place: Place) {
      // The map itself moves after less distance, but a shaking hand or a finger is to count as a click.
      const minimum = held === null ? NEAR_PX : NEAR_PX / 2;
      if (pressed && Math.hypot(at.x - pressed.at.x, at.y - pressed.at.y) > minimum) pressed.moved = true;
      if (held === null || !pressed?.moved) return set({ pointer: place });
      const { before } = held;
      const feature =
        held.kind === 'handle'
          ? dragged(before, held.handle, place)
          : shifted(before, place[0]! - held.from[0]!, place[1]! - held.from[1]!);
      state = { ...state, shapes: replaced(state.chosen!, feature) };
      set({ pointer: place });
    },

    up(at: Pixel, place: Place, toPixel: ToPixel) {
      const isClick = pressed !== null && !pressed.moved;
      pressed = null;
      if (held !== null) return release(isClick, at, toPixel);
      if (!isClick) return;
      const isNear = (other: Place) => {
        const pixel = toPixel(other);
        return Math.hypot(pixel.x - at.x, pixel.y - at.y) <= NEAR_PX;
      };
      if (state.tool === 'select') chooseAt(at, toPixel);
      else if (limit !== null || state.tool === 'measure') put(place, isNear);
    },

    /** Called when the pointer has left the map. */
    leave: () => set({ pointer: null }),

    /**
     * Finishes what is being drawn or measured; called on Enter. A shape of two points ends at the pointer.
     *
     * @returns whether anything was being drawn or measured
     */
    finish(): boolean {
      if (state.path.length === 0) return false;
      finishPath();
      return true;
    },

    /**
     * Cancels the shape that is being drawn, otherwise the tool, otherwise the selection; called on Escape. @returns
     * whether there was something to cancel
     */
    cancel(): boolean {
      if (state.path.length > 0) set({ path: [], refused: null });
      else if (state.tool !== 'select') set({ tool: 'select', refused: null });
      else if (state.chosen !== null) set({ chosen: null, vertex: null });
      else return false;
      return true;
    },

    /**
     * Removes the last vertex of the shape that is being drawn, otherwise the selected vertex, otherwise the selected
     * shape.
     */
    remove() {
      if (state.path.length > 0) return set({ path: state.path.slice(0, -1), refused: null });
      const chosen = chosenShape();
      if (chosen === null) return;
      const geometry = state.vertex && removeVertex(chosen.feature.geometry, state.vertex);
      if (geometry) return commit(replaced(chosen.id, asFree({ ...chosen.feature, geometry })), { vertex: null });
      commit(
        state.shapes.filter(({ id }) => id !== chosen.id),
        { chosen: null, vertex: null },
      );
    },

    /**
     * Copies the selected shape.
     * @param by distance of the copy from the original, in degrees
     */
    copy(by: number) {
      const chosen = chosenShape();
      if (chosen === null) return;
      const shape = drawnOf(shifted(chosen.feature, by, -by));
      commit([...state.shapes, shape], { chosen: shape.id, vertex: null });
    },

    undo() {
      if (state.path.length > 0) return set({ path: state.path.slice(0, -1), refused: null });
      const before = past.at(-1);
      if (before === undefined) return;
      past = past.slice(0, -1);
      future = [...future, state.shapes];
      lastStep = null;
      set({ shapes: before, vertex: null, refused: null, ...(!isIn(before, state.chosen) && { chosen: null }) });
    },

    redo() {
      const after = future.at(-1);
      if (after === undefined) return;
      future = future.slice(0, -1);
      past = [...past, state.shapes];
      lastStep = null;
      set({ shapes: after, vertex: null, refused: null, ...(!isIn(after, state.chosen) && { chosen: null }) });
    },

    /** Changes properties of the selected shape; style properties also apply to the next shapes. */
    setProperties(change: FeatureProperties) {
      const styles = Object.fromEntries(
        Object.entries(change).filter(([name]) => name in firstStyle || name === 'symbol'),
      );
      if (Object.keys(styles).length > 0) set({ style: { ...state.style, ...styles } });
      const chosen = chosenShape();
      if (chosen === null) return;
      const properties = { ...chosen.feature.properties, ...change };
      const step = `${chosen.id} ${Object.keys(change).join()}`;
      commit(replaced(chosen.id, { ...chosen.feature, properties }), {}, step);
    },

    /**
     * Replaces the selected feature, after a vertex, centre or radius was typed. @returns whether the feature is valid
     */
    setFeature(feature: AnnotationFeature): boolean {
      const chosen = chosenShape();
      if (chosen === null) return false;
      if (outlineFault(feature.geometry) !== null) {
        set({ refused: 'crosses' });
        return false;
      }
      commit(replaced(chosen.id, feature));
      return true;
    },

    /** Adds one shape as if it had been drawn. @returns whether the shape is valid and there is room for it */
    draw(feature: AnnotationFeature): boolean {
      if (outlineFault(feature.geometry) !== null) return false;
      addShape(feature);
      return state.refused === null;
    },

    /** Replaces all shapes, as a single undo step. */
    replaceAll(features: readonly AnnotationFeature[]) {
      commit(features.map(drawnOf), { chosen: null, vertex: null });
    },

    /** Removes the selected shape. */
    removeShape() {
      commit(
        state.shapes.filter(({ id }) => id !== state.chosen),
        { chosen: null, vertex: null },
      );
    },

    /** Adds features, for example those of a file. @returns whether there is room for them */
    add(features: readonly AnnotationFeature[]): boolean {
      if (limit && state.shapes.length + features.length > limit.features) return false;
      commit([...state.shapes, ...features.map(drawnOf)], { chosen: null, vertex: null });
      return true;
    },
  };

  function release(isClick: boolean, at: Pixel, toPixel: ToPixel) {
    const { before } = held!;
    const after = chosenShape()?.feature ?? before;
    held = null;
    if (isClick) {
      // A click on the selected shape may be meant for a shape above it, so the topmost one is selected.
      if (state.vertex === null) chooseAt(at, toPixel);
      return;
    }
    const crosses = outlineFault(after.geometry) !== null;
    state = { ...state, shapes: replaced(state.chosen!, before) };
    if (crosses) set({ refused: 'crosses' });
    else commit(replaced(state.chosen!, after));
  }

  function chooseAt(at: Pixel, toPixel: ToPixel) {
    const found = state.shapes.findLast(({ feature }) => hitShape(feature, at, toPixel));
    lastStep = null;
    set({ chosen: found?.id ?? null, vertex: null });
  }
}

const isIn = (shapes: readonly Drawn[], id: number | null) => shapes.some((one) => one.id === id);

/** Returns the parts of a style that apply to a shape: lines have no fill, and only points have a symbol. */
export function ofTool({ geometry, properties }: AnnotationFeature, style: Style): Style {
  const { symbol, 'fill-color': fill, 'fill-opacity': fillOpacity, ...stroke } = style;
  if (geometry.type === 'Point') return { ...stroke, symbol: symbol ?? ('pin' satisfies FeatureSymbol) };
  if (geometry.type === 'LineString' || properties.shape === 'rings') return stroke;
  return { ...stroke, 'fill-color': fill, 'fill-opacity': fillOpacity };
}

/** Whether a tool draws with two positions, the second of which may be the pointer. */
const isTwoPlaced = (tool: Tool) => tool === 'rectangle' || tool === 'circle' || tool === 'rings';

/** Returns the shape that a tool creates from these positions; null while it is incomplete. */
export function figureOf(tool: Tool, [from, to, end]: readonly Place[]): AnnotationFeature | null {
  if (from === undefined || to === undefined) return null;
  const radius = Math.max(1, lengthM(from, to));
  if (tool === 'circle') return circle(from, radius);
  if (tool === 'rings') return rings(from, radius);
  if (tool === 'sector' && end !== undefined) {
    const [bearingFrom, bearingTo] = [bearing(from, to), bearing(from, end)].map((one) => Math.round(one * 10) / 10);
    return sector(from, radius, { bearingFrom, bearingTo });
  }
  if (tool !== 'rectangle') return null;
  return {
    type: 'Feature',
    properties: { shape: 'rectangle' },
    geometry: { type: 'Polygon', coordinates: rectangle(from, to) },
  };
}

/** Returns the nearest handle within reach. Vertices have priority over the handles between them. */
function nearest(handles: readonly Handle[], at: Pixel, toPixel: ToPixel): Handle | null {
  let found: Handle | null = null;
  let minimum = NEAR_PX;
  for (const handle of handles) {
    const { x, y } = toPixel(handle.place);
    const distance = Math.hypot(x - at.x, y - at.y) + (handle.kind === 'middle' ? 2 : 0);
    if (distance > minimum) continue;
    [found, minimum] = [handle, distance];
  }
  return found;
}
