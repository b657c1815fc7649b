import type { CustomLayerInterface, Map as MapLibreMap } from 'maplibre-gl';
import type { Scheme } from '../../base/colours.ts';
import { Columns, mercatorX, mercatorY, STRIDE, TARGETS_A_ROW } from './columns.ts';
import { hullMesh, LINE_HALF, type Mesh, symbolMesh, vectorMesh } from './meshes.ts';
import { CROWD_SHADER, HULL_SHADER, makeProgram, type Program, SYMBOL_SHADER, VECTOR_SHADER } from './shaders.ts';
import { LOST_CROSS, SYMBOLS, type SymbolName, symbolOf, TURNING } from './symbols.ts';
import type { MapTarget } from './targets.ts';

/** Width of the world in pixels at zoom 0, as MapLibre defines it. */
const WORLD_PX = 512;
/** Minimum zoom at which vectors and hulls are drawn; further out they would be smaller than the symbols. */
const DETAIL_ZOOM = 7.5;
/** Number of ships above which they are drawn as small triangles, if the zoom is below CROWD_ZOOM. */
const CROWD = 8000;
const CROWD_ZOOM = 8;

/**
 * Pixel store settings reset before a texture upload: MapLibre leaves flipping and premultiplication enabled for
 * images, but the numbers of targets must be uploaded unchanged.
 */
const UNPACKED = [
  ['UNPACK_FLIP_Y_WEBGL', 0],
  ['UNPACK_PREMULTIPLY_ALPHA_WEBGL', 0],
  ['UNPACK_ALIGNMENT', 4],
] as const;

type Gl = WebGL2RenderingContext;
type ShapeName = SymbolName | 'vector' | 'hull' | 'crowd' | 'lost';

const MESHES: Readonly<Record<ShapeName, () => Mesh>> = {
  ...(Object.fromEntries(
    Object.entries(SYMBOLS).map(([name, lines]) => [name, () => symbolMesh(lines)]),
  ) as unknown as Record<SymbolName, () => Mesh>),
  lost: () => symbolMesh(LOST_CROSS),
  vector: vectorMesh,
  hull: hullMesh,
  /** One point per ship. */
  crowd: () => new Float32Array(4),
};
const SOURCES: Readonly<Partial<Record<ShapeName, string>>> = {
  vector: VECTOR_SHADER,
  hull: HULL_SHADER,
  crowd: CROWD_SHADER,
};
const SHIPS: readonly SymbolName[] = ['shipA', 'shipB'];

/** The targets of one symbol, and their texture with its number of rows. */
type Group = { columns: Columns; texture: WebGLTexture | null; rows: number };
type Shape = { program: Program; mesh: Mesh };

export type ShipLayer = CustomLayerInterface & {
  set(targets: readonly MapTarget[]): void;
  paint(scheme: Scheme): void;
  /** Sets the length of the vectors in minutes; 0: no vectors. */
  setMinutes(minutes: number): void;
};

/** Creates a map layer that draws all targets in a few draw calls. */
export function createShipLayer(map: MapLibreMap, id: string): ShipLayer {
  const groups = new Map<SymbolName | 'lost', Group>();
  const shapes = new Map<ShapeName, Shape>();
  const programs = new Map<string, Program>();
  let gl: Gl | null = null;
  let array: WebGLVertexArrayObject | null = null;
  let scheme: Scheme = 'dark';
  let minutes = 6;
  let targets: readonly MapTarget[] = [];

  const groupOf = (name: SymbolName | 'lost'): Group => {
    let group = groups.get(name);
    if (group === undefined) {
      group = { columns: new Columns(), texture: null, rows: 0 };
      groups.set(name, group);
    }
    return group;
  };

  function programOf(source: string): Program {
    let program = programs.get(source);
    if (program === undefined) {
      program = makeProgram(gl!, source);
      programs.set(source, program);
    }
    return program;
  }

  function shapeOf(name: ShapeName): Shape {
    let shape = shapes.get(name);
    if (shape === undefined) {
      shape = { program: programOf(SOURCES[name] ?? SYMBOL_SHADER), mesh: MESHES[name]() };
      shapes.set(name, shape);
    }
    return shape;
  }

  /** Discards all GPU objects, which are invalid after the WebGL context was lost. */
  function forget() {
    shapes.clear();
    programs.clear();
    array = null;
    for (const group of groups.values()) group.texture = null;
  }

  /** Uploads the rows that have changed, or all rows if the texture is new or too small. */
  function upload(group: Group, context: Gl) {
    const { columns } = group;
    const { floats } = columns;
    const rows = floats.length / (TARGETS_A_ROW * STRIDE);
    const width = (TARGETS_A_ROW * STRIDE) / 4;
    if (group.texture === null || group.rows !== rows) {
      if (group.texture !== null) context.deleteTexture(group.texture);
      group.texture = context.createTexture();
      group.rows = rows;
      context.bindTexture(context.TEXTURE_2D, group.texture);
      for (const name of [context.TEXTURE_MIN_FILTER, context.TEXTURE_MAG_FILTER]) {
        context.texParameteri(context.TEXTURE_2D, name, context.NEAREST);
      }
      context.texImage2D(context.TEXTURE_2D, 0, context.RGBA32F, width, rows, 0, context.RGBA, context.FLOAT, floats);
    } else {
      context.bindTexture(context.TEXTURE_2D, group.texture);
      const row = TARGETS_A_ROW * STRIDE;
      const first = Math.floor(columns.dirtyFrom / row);
      const last = Math.ceil(columns.dirtyTo / row);
      if (last > first) {
        const changed = floats.subarray(first * row, last * row);
        const { TEXTURE_2D, RGBA, FLOAT } = context;
        context.texSubImage2D(TEXTURE_2D, 0, 0, first, width, last - first, RGBA, FLOAT, changed);
      }
    }
    columns.dirtyFrom = Number.POSITIVE_INFINITY;
    columns.dirtyTo = 0;
  }

  function draw(name: ShapeName, group: Group, view: View, context: Gl) {
    if (group.columns.count === 0) return;
    const { program, mesh } = shapeOf(name);
    const corners = mesh.length / 4;
    context.useProgram(program.program);
    upload(group, context);
    context.uniform1i(program.uniform('u_targets'), 0);
    context.uniform4fv(program.uniform('u_corners'), mesh);
    context.uniform1i(program.uniform('u_count'), corners);
    setUniforms(context, program, view);
    context.uniform1f(program.uniform('u_half'), LINE_HALF);
    context.uniform1f(program.uniform('u_turns'), TURNING.has(name as SymbolName) ? 1 : 0);
    context.uniform1f(program.uniform('u_minutes'), minutes);
    context.uniform1f(program.uniform('u_ratio'), view.ratio);
    context.drawArrays(name === 'crowd' ? context.POINTS : context.TRIANGLES, 0, corners * group.columns.count);
  }

  return {
    id,
    type: 'custom',
    renderingMode: '2d',
    onAdd(_, context) {
      gl = context;
      forget();
      map.on('webglcontextrestored', forget);
    },
    onRemove(_, context) {
      map.off('webglcontextrestored', forget);
      for (const { texture } of groups.values()) if (texture !== null) context.deleteTexture(texture);
      for (const { program } of programs.values()) context.deleteProgram(program);
      forget();
      gl = null;
    },
    render(context) {
      gl = context;
      // An empty vertex array is bound, since the shaders read no vertex attributes.
      array ??= context.createVertexArray();
      context.bindVertexArray(array);
      context.activeTexture(context.TEXTURE0);
      for (const [name, value] of UNPACKED) context.pixelStorei(context[name], value);
      context.disable(context.DEPTH_TEST);
      context.disable(context.STENCIL_TEST);
      context.disable(context.CULL_FACE);
      context.enable(context.BLEND);
      context.blendFunc(context.ONE, context.ONE_MINUS_SRC_ALPHA);
      const view = viewOf(map);
      const ships = SHIPS.reduce((sum, name) => sum + groupOf(name).columns.count, 0);
      const isCrowd = ships > CROWD && view.zoom < CROWD_ZOOM;
      if (view.zoom >= DETAIL_ZOOM && !isCrowd) {
        for (const name of SHIPS) draw('hull', groupOf(name), view, context);
        if (minutes > 0)
          for (const name of [...SHIPS, 'sarAircraft'] as const) draw('vector', groupOf(name), view, context);
      }
      for (const [name, group] of groups) {
        draw(isCrowd && SHIPS.includes(name as SymbolName) ? 'crowd' : name, group, view, context);
      }
      context.bindVertexArray(null);
    },
    set(next) {
      targets = next;
      for (const { columns } of groups.values()) columns.begin();
      for (const target of targets) {
        groupStarted(groupOf(symbolOf(target.kind, target.virtual))).put(target, scheme);
        if (target.lost) groupStarted(groupOf('lost')).put(target, scheme);
      }
      for (const { columns } of groups.values()) columns.end();
      map.triggerRepaint();
    },
    paint(next) {
      scheme = next;
      for (const { columns } of groups.values()) columns.recolour(scheme);
      map.triggerRepaint();
    },
    setMinutes(next) {
      minutes = next;
      map.triggerRepaint();
    },
  };
}

/** Begins the update of a group that was created while targets are being set. */
function groupStarted({ columns }: Group): Columns {
  if (columns.count === 0) columns.begin();
  return columns;
}

type View = {
  zoom: number;
  high: [number, number];
  low: [number, number];
  world: number;
  anchor: [number, number];
  size: [number, number];
  turn: [number, number];
  /** Number of canvas pixels per CSS pixel. */
  ratio: number;
};

/**
 * Returns the parameters of the current view. The map is never tilted, so the screen position of a place is its offset
 * from the centre, rotated by the bearing.
 */
function viewOf(map: MapLibreMap): View {
  const zoom = map.getZoom();
  const middle = map.getCenter();
  const [x, y] = [mercatorX(middle.lng), mercatorY(middle.lat)];
  const { x: anchorX, y: anchorY } = map.project(middle);
  const { clientWidth, clientHeight, width } = map.getCanvas();
  const bearing = (-map.getBearing() * Math.PI) / 180;
  return {
    zoom,
    high: [Math.fround(x), Math.fround(y)],
    low: [x - Math.fround(x), y - Math.fround(y)],
    world: WORLD_PX * 2 ** zoom,
    anchor: [anchorX, anchorY],
    size: [clientWidth, clientHeight],
    turn: [Math.cos(bearing), Math.sin(bearing)],
    ratio: width / clientWidth,
  };
}

function setUniforms(gl: Gl, program: Program, { high, low, world, anchor, size, turn }: View) {
  gl.uniform2f(program.uniform('u_high'), ...high);
  gl.uniform2f(program.uniform('u_low'), ...low);
  gl.uniform2f(program.uniform('u_anchor'), ...anchor);
  gl.uniform2f(program.uniform('u_size'), ...size);
  gl.uniform2f(program.uniform('u_turn'), ...turn);
  gl.uniform1f(program.uniform('u_world'), world);
}
