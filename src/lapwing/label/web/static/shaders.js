// The points in WebGL2: one draw for all, one more for those that a person labeled.
import { COLORS, lifted, SHAPES } from "./palette.js";

const VERTEX = `#version 300 es
in vec2 place; in float klass; in float sure; in float dim; in float many;
uniform vec2 scale; uniform vec2 shift; uniform float size; uniform bool top; uniform bool some;
uniform vec3 colors[${COLORS.length}]; uniform vec3 gray; uniform vec3 ink; uniform vec3 ground;
out vec4 tint; flat out float shape; flat out float ring; flat out float pixels;
void main() {
  int id = int(klass + 0.5);
  bool labeled = sure > 127.5;
  float p = labeled ? 1.0 : sure / 127.0;
  vec3 fill = id >= 254 ? gray : colors[id % ${COLORS.length}];
  float alpha = id == 255 ? 0.42 : 0.14 + 0.78 * p * p;
  shape = id >= 254 ? 0.0 : float((id + id / ${COLORS.length}) % ${SHAPES.length});
  ring = labeled ? 1.0 : 0.0;
  if (some) alpha = max(alpha, 0.6);   // what a filter shows is seen, however unsure
  if (dim > 0.5) { fill = mix(gray, ground, 0.35); alpha = labeled ? 0.4 : 0.13; }
  tint = vec4(fill, alpha);
  pixels = size * (1.0 + 0.22 * many) * (top ? 1.9 : 1.0) * (shape == 0.0 ? 1.0 : 1.12);
  gl_PointSize = pixels;
  gl_Position = vec4(place * scale + shift, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 tint; flat in float shape; flat in float ring; flat in float pixels;
uniform vec3 ink; uniform vec3 ground; uniform bool top;
out vec4 found;
float edge(vec2 q) {            // below 0 inside, in units of half the sprite
  vec2 a = abs(q);
  if (pixels < 5.5 || shape < 0.5) return length(q) - 0.92;
  if (shape < 1.5) return max(a.x, a.y) - 0.76;
  if (shape < 2.5) return max(a.x * 0.86 - q.y * 0.5, q.y) - 0.56 + min(q.y, 0.0) * 0.0;
  if (shape < 3.5) return (a.x + a.y) * 0.74 - 0.7;
  return max(min(a.x, a.y) - 0.34, max(a.x, a.y) - 0.86);
}
void main() {
  vec2 q = gl_PointCoord * 2.0 - 1.0;
  float soft = 2.0 / pixels, d = edge(q);
  float cover = clamp(0.5 - d / soft, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec4 c = tint;
  if (top) {
    float width = 3.4 / pixels;
    float rim = clamp(0.5 + (d + width) / soft, 0.0, 1.0);
    c = mix(c, vec4(ink, max(tint.a, 0.55)), rim);
  }
  found = vec4(c.rgb, c.a * cover);
}`;

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

/** Draws points on a canvas with WebGL2; null where the browser has none. */
export function webglPainter(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "low-power" });
  if (!gl) return null;
  const made = program(gl), at = (name) => gl.getUniformLocation(made, name);
  const uniforms = Object.fromEntries(
    ["scale", "shift", "size", "top", "some", "colors", "gray", "ink", "ground"].map((u) => [u, at(u)]));
  gl.useProgram(made);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  const buffers = {};
  let n = 0, nTop = 0;

  function attribute(name, width, kind, data) {
    buffers[name] ??= gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    const place = gl.getAttribLocation(made, name);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, width, kind, false, 0, 0);
  }

  return {
    kind: "webgl2",
    places(data) { n = data.length / 2; attribute("place", 2, gl.FLOAT, data); },
    counts(data) { attribute("many", 1, gl.UNSIGNED_BYTE, data); },
    dims(data) { attribute("dim", 1, gl.UNSIGNED_BYTE, data); gl.uniform1i(uniforms.some, Number(data.includes(1))); },
    answers(classes, confidence, labeled) {
      attribute("klass", 1, gl.UNSIGNED_BYTE, classes);
      attribute("sure", 1, gl.UNSIGNED_BYTE, confidence);
      buffers.top ??= gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.top);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, labeled, gl.DYNAMIC_DRAW);
      nTop = labeled.length;
    },
    draw(view, theme) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(...theme.ground, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(uniforms.scale, ...view.scale);
      gl.uniform2f(uniforms.shift, ...view.shift);
      gl.uniform1f(uniforms.size, view.size);
      gl.uniform3fv(uniforms.colors, COLORS.flatMap((_, id) => lifted(id, theme.lift)));
      for (const name of ["gray", "ink", "ground"]) gl.uniform3f(uniforms[name], ...theme[name]);
      gl.uniform1i(uniforms.top, 0);
      gl.drawArrays(gl.POINTS, 0, n);
      if (nTop) {
        gl.uniform1i(uniforms.top, 1);
        gl.drawElements(gl.POINTS, nTop, gl.UNSIGNED_INT, 0);
      }
    },
    finish() { gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); },
  };
}
