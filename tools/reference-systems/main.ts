import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Writes the server's tables of reference systems from the EPSG Dataset as distributed with PROJ: `node
 * tools/reference-systems/main.ts /usr/share/proj/proj.db`. Only operations without grids are included.
 */
const [database = '/usr/share/proj/proj.db'] = process.argv.slice(2);
const folder = resolve(import.meta.dirname, '../../apps/server/src/base/formats/reference-systems');
const db = new DatabaseSync(database, { readOnly: true });
type Row = Record<string, string | number | null>;
const rows = (sql: string): Row[] => db.prepare(sql).all() as Row[];
const WGS84 = 4326;

/** Normalises a name to letters and digits in lower case, as the reader does; ESRI names begin with `D_`. */
const plain = (name: unknown): string =>
  String(name)
    .replace(/^D_/, '')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replace(/[^a-z0-9]/g, '');

const units = new Map(
  rows('select auth_name, code, conv_factor from unit_of_measure').map((u) => [
    `${u.auth_name}:${u.code}`,
    Number(u.conv_factor),
  ]),
);
/** Unit code of angles in the dataset's sexagesimal DMS notation, the only unit without a conversion factor. */
const DMS = 'EPSG:9110';
function inSi(value: unknown, unit: string): number {
  const number = Number(value);
  if (unit !== DMS) return number * (units.get(unit) ?? 1);
  const [whole = '0', fraction = ''] = Math.abs(number).toFixed(12).split('.');
  const [minutes, seconds] = [fraction.slice(0, 2), `${fraction.slice(2, 4)}.${fraction.slice(4)}`].map(Number) as [
    number,
    number,
  ];
  return (Math.sign(number) * (Number(whole) + minutes / 60 + seconds / 3600) * Math.PI) / 180;
}
const degrees = (radians: number): number => (radians * 180) / Math.PI;
const short = (value: number, digits = 12): string => String(Number(value.toPrecision(digits)));

// Methods: position vector (9606) and its mirror, coordinate frame (9607); three parameters (9603); Molodensky-Badekas
// (9636, 1063), of which the first uses the rotation of the coordinate frame.
const FRAME = new Set([9607, 9636]);
const METHODS = '(9603, 9606, 9607, 9636, 1063)';

const operations = rows(`select h.*, e.south_lat s, e.west_lon w, e.north_lat n, e.east_lon e
  from helmert_transformation_table h
  join usage u on u.object_table_name = 'helmert_transformation' and u.object_auth_name = h.auth_name and u.object_code = h.code
  join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
  where h.auth_name = 'EPSG' and h.deprecated = 0 and h.method_code in ${METHODS} and h.accuracy < 100
    and h.source_crs_auth_name = 'EPSG' and h.target_crs_auth_name = 'EPSG'
    and not exists (select 1 from supersession x
      join helmert_transformation_table r on r.auth_name = x.replacement_auth_name and r.code = x.replacement_code
        and r.deprecated = 0 and r.method_code in ${METHODS}
      where x.superseded_table_name = 'helmert_transformation' and x.replacement_table_name = 'helmert_transformation'
      and x.superseded_auth_name = h.auth_name and x.superseded_code = h.code and x.same_source_target_crs = 1)
  order by h.code`);

function parametersOf(o: Row): number[] {
  const metres = (v: unknown) => inSi(v ?? 0, `${o.translation_uom_auth_name}:${o.translation_uom_code}`);
  const sign = FRAME.has(Number(o.method_code)) ? -1 : 1;
  const seconds = (v: unknown) =>
    v === null ? 0 : sign * degrees(inSi(v, `${o.rotation_uom_auth_name}:${o.rotation_uom_code}`)) * 3600;
  const millionths =
    o.scale_difference === null
      ? 0
      : inSi(o.scale_difference, `${o.scale_difference_uom_auth_name}:${o.scale_difference_uom_code}`) * 1e6;
  const turn = [seconds(o.rx), seconds(o.ry), seconds(o.rz), millionths];
  const pivot = o.px === null ? [] : [o.px, o.py, o.pz].map(Number);
  return [...[o.tx, o.ty, o.tz].map(metres), ...(turn.some((v) => v !== 0) ? [...turn, ...pivot] : [])];
}

const isNull = (o: Row): boolean => parametersOf(o).every((v) => v === 0);
/** Systems that equal WGS 84 to within about a metre, through which other systems are converted to it. */
const hubs = new Map(
  operations
    .filter((o) => o.target_crs_code === WGS84 && isNull(o))
    .map((o) => [Number(o.source_crs_code), Number(o.accuracy)]),
);

function operationText(o: Row, more: number): string {
  const box = [o.s, o.w, o.n, o.e].map((v) => short(Number(v), 6)).join(',');
  return `${o.code}:${short(Number(o.accuracy) + more, 3)}:${box}:${parametersOf(o)
    .map((v) => short(v))
    .join(',')}`;
}

/**
 * Realizations that the dataset links to others only by operations with time or grids, with the accuracy assumed for
 * each in metres; the first is that of NAD83.
 */
const REALIZATIONS: readonly (readonly [RegExp, number])[] = [
  [/^NAD83\(/, 4],
  [/^(?:WGS 84 \(G|ITRF|ETRF|SIRGAS|CR-SIRGAS|China Geodetic Coordinate System 2000)/, 1],
];

function operationsFrom(code: number): string[] {
  if (code === WGS84) return ['0:0:-90,-180,90,180:0,0,0'];
  const direct = operations.filter((o) => o.source_crs_code === code && o.target_crs_code === WGS84);
  if (direct.length > 0) return direct.map((o) => operationText(o, 0));
  const over = operations
    .filter((o) => o.source_crs_code === code && hubs.has(Number(o.target_crs_code)))
    .map((o) => operationText(o, hubs.get(Number(o.target_crs_code))!));
  if (over.length > 0) return over;
  const name = String(geographic.find((g) => g.code === code)?.name);
  return REALIZATIONS.filter(([names]) => names.test(name)).map(
    ([, accuracyM]) => `0:${accuracyM}:-90,-180,90,180:0,0,0`,
  );
}

const aliases = new Map<string, Set<string>>();
for (const { code, alt_name } of rows(
  "select code, alt_name from alias_name where table_name = 'geodetic_datum' and auth_name = 'EPSG'",
)) {
  const key = String(code);
  aliases.set(key, (aliases.get(key) ?? new Set()).add(plain(alt_name)));
}

const geographic =
  rows(`select g.code, g.name, g.datum_code, d.name datum, d.ellipsoid_code, l.semi_major_axis a, l.inv_flattening rf,
    l.semi_minor_axis b, l.uom_auth_name || ':' || l.uom_code unit, m.longitude, m.uom_auth_name || ':' || m.uom_code pmunit, ax.uom_auth_name || ':' || ax.uom_code axis
  from geodetic_crs g join geodetic_datum d on d.auth_name = g.datum_auth_name and d.code = g.datum_code
  join ellipsoid l on l.auth_name = d.ellipsoid_auth_name and l.code = d.ellipsoid_code
  join prime_meridian m on m.auth_name = d.prime_meridian_auth_name and m.code = d.prime_meridian_code
  join axis ax on ax.coordinate_system_auth_name = g.coordinate_system_auth_name and ax.coordinate_system_code = g.coordinate_system_code and ax.coordinate_system_order = 1
  where g.auth_name = 'EPSG' and g.type = 'geographic 2D' and g.deprecated = 0 and g.datum_auth_name = 'EPSG' order by g.code`);
const byName = new Map(geographic.map((g) => [g.name, Number(g.code)]));

const lines: string[] = [];
const known = new Set<number>();
for (const g of geographic) {
  const code = Number(g.code);
  // For example, "NTF (Paris)" is NTF with another prime meridian.
  const twin = byName.get(String(g.name).replace(/ \([A-Z][a-z]+\)$/, '')) ?? code;
  const found = operationsFrom(code).length > 0 ? operationsFrom(code) : operationsFrom(twin);
  if (found.length === 0) continue;
  known.add(code);
  const a = inSi(g.a, String(g.unit));
  const rf = g.rf === null ? a / (a - inSi(g.b, String(g.unit))) : Number(g.rf);
  const names = new Set([plain(g.datum), ...(aliases.get(String(g.datum_code)) ?? [])]);
  const meridian = degrees(inSi(g.longitude, String(g.pmunit)));
  const turn = degrees(units.get(String(g.axis)) ?? Math.PI / 180);
  lines.push(
    [
      code,
      g.datum_code,
      [...names].join(' '),
      short(a),
      short(rf, 14),
      short(meridian),
      short(turn, 14),
      found.join(' '),
    ].join('|'),
  );
}
writeFileSync(
  resolve(folder, 'geographic-data.ts'),
  `/**
 * Geographic systems and their operations to WGS 84 without grids, from the EPSG Dataset of IOGP; written by
 * tools/reference-systems. A line each: code, code of the datum, its names, semi-major axis in metres, inverse flattening,
 * meridian in degrees, degrees in its unit of angles, operations. An operation is its code, its stated accuracy in metres,
 * south, west, north and east of its area, and translations in metres, rotations in seconds (position vector), scale in
 * millionths, and a pivot.
 */
export const GEOGRAPHIC = \`
${lines.join('\n')}
\`;
`,
);

/** Methods by code, each with its parameters in the order of the table. */
const METHOD_PARAMETERS: Record<number, [name: string, ...codes: number[]]> = {
  9807: ['tmerc', 8801, 8802, 8805, 8806, 8807],
  9808: ['tmercSouth', 8801, 8802, 8805, 8806, 8807],
  9801: ['lcc1', 8801, 8802, 8805, 8806, 8807],
  9802: ['lcc2', 8821, 8822, 8823, 8824, 8826, 8827],
  9822: ['aea', 8821, 8822, 8823, 8824, 8826, 8827],
  9806: ['cass', 8801, 8802, 8806, 8807],
  9810: ['stereA', 8801, 8802, 8805, 8806, 8807],
  9829: ['stereB', 8832, 8833, 8806, 8807],
  9809: ['sterea', 8801, 8802, 8805, 8806, 8807],
  9812: ['omercA', 8811, 8812, 8813, 8814, 8815, 8806, 8807],
  9815: ['omercB', 8811, 8812, 8813, 8814, 8815, 8816, 8817],
  9820: ['laea', 8801, 8802, 8806, 8807],
  9804: ['mercA', 8801, 8802, 8805, 8806, 8807],
  9805: ['mercB', 8823, 8802, 8806, 8807],
  9835: ['cea', 8823, 8802, 8806, 8807],
  9818: ['poly', 8801, 8802, 8806, 8807],
  1041: ['krovak', 8811, 8833, 1036, 8818, 8819, 8806, 8807],
  1024: ['webmerc', 8801, 8802, 8806, 8807],
  9811: ['nzmg', 8801, 8802, 8806, 8807],
};
const angles = new Set([8801, 8802, 8811, 8812, 8813, 8814, 8818, 8821, 8822, 8823, 8824, 8832, 8833, 1036]);

const projected = rows(`select p.code, p.geodetic_crs_code base, c.*, ax.uom_auth_name || ':' || ax.uom_code axis
  from projected_crs p join conversion_table c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
  join axis ax on ax.coordinate_system_auth_name = p.coordinate_system_auth_name and ax.coordinate_system_code = p.coordinate_system_code and ax.coordinate_system_order = 1
  where p.auth_name = 'EPSG' and p.deprecated = 0 and p.geodetic_crs_auth_name = 'EPSG' order by p.code`);
// The join yields two columns named code, so the codes of the systems themselves are queried separately.
const codes =
  rows(`select p.code from projected_crs p join conversion_table c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
  join axis ax on ax.coordinate_system_auth_name = p.coordinate_system_auth_name and ax.coordinate_system_code = p.coordinate_system_code and ax.coordinate_system_order = 1
  where p.auth_name = 'EPSG' and p.deprecated = 0 and p.geodetic_crs_auth_name = 'EPSG' order by p.code`).map(
    ({ code }) => Number(code),
  );

/** Systems with the same base, method and unit, which differ only in their parameters, form one group. */
const groups = new Map<string, string[]>();
for (const [index, p] of projected.entries()) {
  const method = METHOD_PARAMETERS[Number(p.method_code)];
  if (method === undefined || !known.has(Number(p.base))) continue;
  const [name, ...requested] = method;
  const values = requested.map((parameter) => {
    const at = [1, 2, 3, 4, 5, 6, 7].find((n) => p[`param${n}_code`] === parameter);
    if (at === undefined) return Number.NaN;
    const value = inSi(p[`param${at}_value`], `${p[`param${at}_uom_auth_name`]}:${p[`param${at}_uom_code`]}`);
    return angles.has(parameter) ? degrees(value) : value;
  });
  if (values.some(Number.isNaN)) continue;
  const key = `${p.base} ${name} ${short(units.get(String(p.axis)) ?? 1, 14)}`;
  groups.set(key, [...(groups.get(key) ?? []), `${codes[index]},${values.map((v) => short(v, 13)).join(',')}`]);
}
writeFileSync(
  resolve(folder, 'projected-data.ts'),
  `/**
 * Projected systems of the EPSG Dataset of IOGP, written by tools/reference-systems. A line each for a base, a method and
 * the metres in a unit; then systems, each its code and the parameters of the method, in degrees and metres.
 */
export const PROJECTED = \`
${[...groups].map(([key, systems]) => `${key}|${systems.join(' ')}`).join('\n')}
\`;
`,
);
console.log(`${lines.length} geographic and ${[...groups.values()].flat().length} projected systems`);
