import { NO_HEADING, TARGETS_A_ROW } from './columns.ts';

/** Corners of the largest symbol: a circle of 16 lines with a cross, two triangles each. */
const MAX_CORNERS = 120;

/**
 * Beginning of every target's shader. Targets are read from a texture by the number of the vertex: instances of a few
 * vertices each are slow to draw, by software above all.
 */
const COMMON = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D u_targets;
uniform vec4 u_corners[${MAX_CORNERS}];
uniform int u_count;
uniform vec2 u_high;
uniform vec2 u_low;
uniform vec2 u_anchor;
uniform vec2 u_size;
uniform vec2 u_turn;
uniform float u_world;
uniform float u_half;
out vec3 v_colour;
out float v_across;
out float v_half;

int own;
vec4 texel(int number) { return texelFetch(u_targets, ivec2((own % ${TARGETS_A_ROW}) * 4 + number, own / ${TARGETS_A_ROW}), 0); }

vec2 rotated(vec2 p, vec2 turn) { return vec2(p.x * turn.x - p.y * turn.y, p.x * turn.y + p.y * turn.x); }

vec2 placeOf(vec4 at) {
  vec2 away = (at.xy - u_high) + (at.zw - u_low);
  // The nearest of the repeated worlds.
  away.x -= floor(away.x + 0.5);
  return u_anchor + rotated(away * u_world, u_turn);
}

vec2 turnOf(float angle) { return rotated(vec2(cos(angle), sin(angle)), u_turn); }

void put(vec2 pixel) { gl_Position = vec4(pixel.x / u_size.x * 2.0 - 1.0, 1.0 - pixel.y / u_size.y * 2.0, 0.0, 1.0); }

void nowhere() { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }

vec4 begin() {
  own = gl_VertexID / u_count;
  vec4 state = texel(3);
  v_colour = vec3(floor(state.x / 65536.0), mod(floor(state.x / 256.0), 256.0), mod(state.x, 256.0)) / 255.0;
  v_half = u_half;
  return u_corners[gl_VertexID % u_count];
}

bool isOutside(vec2 pixel, float reach) {
  return any(lessThan(pixel, vec2(-reach))) || any(greaterThan(pixel, u_size + reach));
}
`;

/** Lines of a symbol; what turns does so with the ship. */
export const SYMBOL_SHADER = `${COMMON}
uniform float u_turns;
void main() {
  vec4 corner = begin();
  v_across = corner.z;
  vec2 place = placeOf(texel(0));
  if (isOutside(place, 20.0)) { nowhere(); return; }
  put(place + (u_turns > 0.5 ? rotated(corner.xy, turnOf(texel(1).x)) : corner.xy));
}
`;

/** The way of the next minutes with ticks, and the line of the heading with a leg to the side that the ship turns to. */
export const VECTOR_SHADER = `${COMMON}
uniform float u_minutes;
void main() {
  vec4 corner = begin();
  vec4 motion = texel(1);
  vec2 place = placeOf(texel(0));
  v_across = corner.w;
  v_half = u_half - 0.1;
  vec2 at = corner.xy;
  if (corner.z < 5.0) {
    float length = motion.z * u_minutes * u_world;
    // Ticks only where they can be distinguished.
    if (length < 3.0 || (abs(corner.x) > 2.0 && length < 24.0) || isOutside(place, length)) { nowhere(); return; }
    at.y -= length * corner.z;
    put(place + rotated(at, turnOf(motion.y)));
    return;
  }
  float turn = texel(3).y;
  bool isLeg = corner.z > 15.0;
  if (turn > ${(NO_HEADING / 2).toFixed(1)} || (isLeg && abs(turn) < 5.0) || isOutside(place, 30.0)) { nowhere(); return; }
  if (isLeg) at.x *= sign(turn);
  put(place + rotated(at, turnOf(motion.x)));
}
`;

/** The hull in its true size, where it is large enough to be seen. */
export const HULL_SHADER = `${COMMON}
vec2 cornerOf(vec4 hull, float index) {
  float shoulder = hull.x - (hull.x + hull.y) * 0.18;
  if (index < 0.5) return vec2((hull.w - hull.z) * 0.5, -hull.x);
  if (index < 1.5) return vec2(hull.w, -shoulder);
  if (index < 2.5) return vec2(hull.w, hull.y);
  if (index < 3.5) return vec2(-hull.z, hull.y);
  return vec2(-hull.z, -shoulder);
}
void main() {
  vec4 corner = begin();
  vec4 motion = texel(1);
  vec4 hull = texel(2);
  vec2 place = placeOf(texel(0));
  float pixels = motion.w * u_world;
  float length = (hull.x + hull.y) * pixels;
  if (length < 24.0 || isOutside(place, length)) { nowhere(); return; }
  vec2 from = cornerOf(hull, corner.x) * pixels;
  vec2 to = cornerOf(hull, mod(corner.x + 1.0, 5.0)) * pixels;
  vec2 along = normalize(to - from);
  v_across = corner.z * (u_half + 0.2);
  put(place + rotated(mix(from, to, corner.y) + vec2(-along.y, along.x) * v_across, turnOf(motion.x)));
}
`;

/** Size of a point of the crowd, in pixels. */
const CROWD_PX = 9;

/** A small filled triangle, where there are so many that outlines would be a blot: one point each. */
export const CROWD_SHADER = `${COMMON}
uniform float u_ratio;
flat out vec2 v_turn;
void main() {
  own = gl_VertexID;
  vec2 place = placeOf(texel(0));
  if (isOutside(place, 6.0)) { nowhere(); return; }
  float state = texel(3).x;
  v_colour = vec3(floor(state / 65536.0), mod(floor(state / 256.0), 256.0), mod(state, 256.0)) / 255.0;
  v_across = 0.0;
  v_half = 1.0;
  v_turn = turnOf(texel(1).x);
  gl_PointSize = ${CROWD_PX.toFixed(1)} * u_ratio;
  put(place);
}
`;

const CROWD_FRAGMENT_SHADER = `#version 300 es
precision mediump float;
in vec3 v_colour;
flat in vec2 v_turn;
out vec4 o_colour;
void main() {
  vec2 at = (gl_PointCoord - 0.5) * ${CROWD_PX.toFixed(1)};
  at = vec2(at.x * v_turn.x + at.y * v_turn.y, at.y * v_turn.x - at.x * v_turn.y);
  // Distance from the base, and from the two sides, which meet at the bow.
  float outside = max(at.y - 3.2, (abs(at.x) * 8.0 - (at.y + 4.5) * 3.0) / 8.544);
  float cover = clamp(0.5 - outside, 0.0, 1.0);
  o_colour = vec4(v_colour * cover, cover);
}
`;

const FRAGMENT_SHADER = `#version 300 es
precision mediump float;
in vec3 v_colour;
in float v_across;
in float v_half;
out vec4 o_colour;
void main() {
  float cover = clamp(v_half - abs(v_across), 0.0, 1.0);
  o_colour = vec4(v_colour * cover, cover);
}
`;

type Gl = WebGL2RenderingContext;

export type Program = { program: WebGLProgram; uniform: (name: string) => WebGLUniformLocation | null };

/** @throws Error with the log of the driver, if a shader does not compile */
export function makeProgram(gl: Gl, vertexSource: string): Program {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexSource],
    [gl.FRAGMENT_SHADER, vertexSource === CROWD_SHADER ? CROWD_FRAGMENT_SHADER : FRAGMENT_SHADER],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) throw new Error('The graphics card gives no shader');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    // The program keeps it for as long as it is there.
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`Ships cannot be drawn: ${gl.getProgramInfoLog(program) ?? 'no message'}`);
  }
  const uniforms = new Map<string, WebGLUniformLocation | null>();
  return {
    program,
    uniform(name) {
      let location = uniforms.get(name);
      if (location === undefined) {
        location = gl.getUniformLocation(program, name);
        uniforms.set(name, location);
      }
      return location;
    },
  };
}
