import { MIDDLE, orNull, place } from './fields.ts';
import type {
  ApplicationData,
  AreaNotice,
  InlandShip,
  LinkedText,
  MetHydro,
  NoticeArea,
  ShipWeather,
} from './messages.ts';
import type { Payload } from './payload.ts';

/**
 * Content of a binary message with a known application identifier.
 *
 * @param at first bit after the application identifier: 56 in message 8, 88 in message 6
 * @returns null if the application is not known, or if bits are missing
 */
export function readApplication(payload: Payload, at: number, dac: number, fi: number): ApplicationData | null {
  const bits = payload.bits - at;
  if (dac === 200) return fi === 10 && bits >= 104 ? readInlandShip(payload, at) : null;
  if (dac !== 1) return null;
  if (fi === 11) return bits >= 290 ? readMetHydro11(payload, at) : null;
  if (fi === 31) return bits >= 294 ? readMetHydro31(payload, at) : null;
  if (fi === 21) return bits >= 301 ? readShipWeather(payload, at) : null;
  if (fi === 22 || fi === 23) return bits >= 55 ? readAreaNotice(payload, at) : null;
  if (fi === 29 || fi === 30) return bits >= 10 ? readLinkedText(payload, at) : null;
  return null;
}

/** Scales a number by unit and offset; null if it equals `none`. */
const scaled = (value: number, none: number, unit: number, offset = 0): number | null =>
  value === none ? null : Number((value * unit + offset).toFixed(3));

/** Returns the value, or null if it is not below `limit`. */
const below = (value: number, limit: number): number | null => (value < limit ? value : null);
const dayOf = (value: number): number | null => orNull(value, 0);

/**
 * Reads meteorological data of application DAC 1, FI 11 (IMO SN.1/Circ.236, annex 2, application 1), which is still
 * sent although withdrawn.
 */
function readMetHydro11(payload: Payload, at: number): MetHydro {
  const u = (offset: number, count: number) => payload.uint(at + offset, count);
  const current = (offset: number, depthOffset: number | null) => ({
    speed: scaled(u(offset, 8), 255, 0.1),
    direction: below(u(offset + 8, 9), 360),
    depth: depthOffset === null ? 0 : orNull(u(depthOffset, 5), 31),
  });
  const ice = u(288, 2);
  return {
    kind: 'metHydro',
    ...place(payload.int(at + 24, 25), payload.int(at, 24), MIDDLE),
    accurate: false,
    day: dayOf(u(49, 5)),
    hour: below(u(54, 5), 24),
    minute: below(u(59, 6), 60),
    windSpeed: orNull(u(65, 7), 127),
    gustSpeed: orNull(u(72, 7), 127),
    windDirection: below(u(79, 9), 360),
    gustDirection: below(u(88, 9), 360),
    airTemperature: scaled(u(97, 11), 2047, 0.1, -60),
    humidity: below(u(108, 7), 101),
    dewPoint: scaled(u(115, 10), 1023, 0.1, -20),
    pressure: scaled(u(125, 9), 511, 1, 800),
    pressureTrend: orNull(u(134, 2), 3),
    visibility: scaled(u(136, 8), 255, 0.1),
    visibilityAtLeast: false,
    waterLevel: scaled(u(144, 9), 511, 0.1, -10),
    levelTrend: orNull(u(153, 2), 3),
    currents: [current(155, null), current(172, 189), current(194, 211)],
    waveHeight: scaled(u(216, 8), 255, 0.1),
    wavePeriod: orNull(u(224, 6), 63),
    waveDirection: below(u(230, 9), 360),
    swellHeight: scaled(u(239, 8), 255, 0.1),
    swellPeriod: orNull(u(247, 6), 63),
    swellDirection: below(u(253, 9), 360),
    seaState: below(u(262, 4), 13),
    waterTemperature: scaled(u(266, 10), 1023, 0.1, -10),
    precipitation: orNull(u(276, 3), 7),
    salinity: scaled(u(279, 9), 511, 0.1),
    ice: ice > 1 ? null : ice === 1,
  };
}

/** Reads meteorological data of application DAC 1, FI 31 (IMO SN.1/Circ.289, annex, section 1). */
function readMetHydro31(payload: Payload, at: number): MetHydro {
  const u = (offset: number, count: number) => payload.uint(at + offset, count);
  const s = (offset: number, count: number) => payload.int(at + offset, count);
  const current = (offset: number, depthOffset: number | null) => ({
    speed: below(u(offset, 8), 252) === null ? null : scaled(u(offset, 8), 255, 0.1),
    direction: below(u(offset + 8, 9), 360),
    depth: depthOffset === null ? 0 : orNull(u(depthOffset, 5), 31),
  });
  const pressure = u(126, 9);
  const level = u(145, 12);
  const salinity = u(283, 9);
  const ice = u(292, 2);
  const between = (value: number, low: number, high: number, unit: number) =>
    value < low || value > high ? null : Number((value * unit).toFixed(3));
  return {
    kind: 'metHydro',
    ...place(s(0, 25), s(25, 24), MIDDLE),
    accurate: payload.flag(at + 49),
    day: dayOf(u(50, 5)),
    hour: below(u(55, 5), 24),
    minute: below(u(60, 6), 60),
    windSpeed: below(u(66, 7), 127),
    gustSpeed: below(u(73, 7), 127),
    windDirection: below(u(80, 9), 360),
    gustDirection: below(u(89, 9), 360),
    airTemperature: between(s(98, 11), -600, 600, 0.1),
    humidity: below(u(109, 7), 101),
    dewPoint: between(s(116, 10), -200, 500, 0.1),
    // Value 0 means 799 hPa or less, value 402 means 1201 hPa or more.
    pressure: pressure > 402 ? null : pressure + 799,
    pressureTrend: orNull(u(135, 2), 3),
    visibility: scaled(u(138, 7), 127, 0.1),
    visibilityAtLeast: payload.flag(at + 137),
    waterLevel: level > 4000 ? null : scaled(level, 4095, 0.01, -10),
    levelTrend: orNull(u(157, 2), 3),
    currents: [current(159, null), current(176, 193), current(198, 215)],
    waveHeight: u(220, 8) > 251 ? null : scaled(u(220, 8), 255, 0.1),
    wavePeriod: below(u(228, 6), 61),
    waveDirection: below(u(234, 9), 360),
    swellHeight: u(243, 8) > 251 ? null : scaled(u(243, 8), 255, 0.1),
    swellPeriod: below(u(251, 6), 61),
    swellDirection: below(u(257, 9), 360),
    seaState: below(u(266, 4), 13),
    waterTemperature: between(s(270, 10), -100, 500, 0.1),
    precipitation: orNull(u(280, 3), 7),
    salinity: salinity > 501 ? null : scaled(salinity, 511, 0.1),
    ice: ice > 1 ? null : ice === 1,
  };
}

/**
 * Reads inland ship data of application DAC 200, FI 10 (Vessel Tracking and Tracing Standard for Inland Navigation, §
 * 2.4.2).
 */
function readInlandShip(payload: Payload, at: number): InlandShip {
  const loaded = payload.uint(at + 99, 2);
  return {
    kind: 'inlandShip',
    eni: payload.text(at, 8),
    length: scaled(payload.uint(at + 48, 13), 0, 0.1),
    beam: scaled(payload.uint(at + 61, 10), 0, 0.1),
    eriType: payload.uint(at + 71, 14),
    hazard: below(payload.uint(at + 85, 3), 5),
    draught: scaled(payload.uint(at + 88, 11), 0, 0.01),
    // Value 1 is unloaded, 2 is loaded; 0 and 3 are unknown.
    loaded: loaded === 1 ? false : loaded === 2 ? true : null,
    speedQuality: payload.flag(at + 101),
    courseQuality: payload.flag(at + 102),
    headingQuality: payload.flag(at + 103),
  };
}

/**
 * Reads a weather observation of application DAC 1, FI 21 (SN.1/Circ.289, annex, section 8). Its first bit selects one
 * of two layouts.
 */
function readShipWeather(payload: Payload, at: number): ApplicationData {
  const u = (offset: number, count: number) => payload.uint(at + offset, count);
  if (payload.flag(at)) {
    return { kind: 'wmoWeather', ...place(payload.int(at + 1, 16), payload.int(at + 17, 15), 100) };
  }
  const visibility = u(191, 7);
  const pressure = u(221, 9);
  const air = payload.int(at + 234, 11);
  const water = payload.int(at + 245, 10);
  const weather: ShipWeather = {
    kind: 'shipWeather',
    location: payload.text(at + 1, 20),
    ...place(payload.int(at + 121, 25), payload.int(at + 146, 24), MIDDLE),
    day: dayOf(u(170, 5)),
    hour: below(u(175, 5), 24),
    minute: below(u(180, 6), 60),
    weather: below(u(186, 4), 8),
    visibility: scaled(visibility, 127, 0.1),
    visibilityAtLeast: payload.flag(at + 190),
    humidity: below(u(198, 7), 101),
    windSpeed: below(u(205, 7), 127),
    windDirection: below(u(212, 9), 360),
    pressure: pressure > 402 ? null : pressure + 799,
    pressureTrend: orNull(u(230, 4), 15),
    airTemperature: air < -600 || air > 600 ? null : air / 10,
    waterTemperature: water < -100 || water > 500 ? null : water / 10,
    wavePeriod: below(u(255, 6), 61),
    waveHeight: u(261, 8) > 251 ? null : scaled(u(261, 8), 255, 0.1),
    waveDirection: below(u(269, 9), 360),
    swellHeight: u(278, 8) > 251 ? null : scaled(u(278, 8), 255, 0.1),
    swellDirection: below(u(286, 9), 360),
    swellPeriod: below(u(295, 6), 61),
  };
  return weather;
}

const AREA_BITS = 87;

/**
 * Reads an area notice of application DAC 1, FI 22 (broadcast) or 23 (addressed) (SN.1/Circ.289, annex, section 11).
 */
function readAreaNotice(payload: Payload, at: number): AreaNotice {
  const month = payload.uint(at + 17, 4);
  const areas: NoticeArea[] = [];
  for (let next = at + 55; next + AREA_BITS <= payload.bits && areas.length < 10; next += AREA_BITS) {
    const area = readArea(payload, next);
    if (area !== null) areas.push(area);
  }
  return {
    kind: 'areaNotice',
    linkage: payload.uint(at, 10),
    noticeType: payload.uint(at + 10, 7),
    month: month >= 1 && month <= 12 ? month : null,
    day: dayOf(payload.uint(at + 21, 5)),
    hour: below(payload.uint(at + 26, 5), 24),
    minute: below(payload.uint(at + 31, 6), 60),
    duration: orNull(payload.uint(at + 37, 18), 262143),
    areas,
  };
}

function readArea(payload: Payload, at: number): NoticeArea | null {
  const shape = payload.uint(at, 3);
  if (shape === 5) return { shape: 'text', text: payload.text(at + 3, 14) };
  const factor = 10 ** payload.uint(at + 3, 2);
  if (shape === 3 || shape === 4) {
    const points: { bearing: number; distance: number }[] = [];
    for (let i = 0; i < 4; i++) {
      const [angle, distance] = [payload.uint(at + 5 + i * 20, 10), payload.uint(at + 15 + i * 20, 10)];
      if (angle < 720 && distance > 0) points.push({ bearing: angle / 2, distance: distance * factor });
    }
    return { shape: shape === 3 ? 'polyline' : 'polygon', points };
  }
  if (shape > 2) return null;
  const where = place(payload.int(at + 5, 25), payload.int(at + 30, 24), MIDDLE);
  const precision = payload.uint(at + 54, 3);
  const length = (offset: number, count: number) => payload.uint(at + offset, count) * factor;
  if (shape === 0) return { shape: 'circle', ...where, precision, radius: length(57, 12) };
  if (shape === 1) {
    const orientation = payload.uint(at + 73, 9);
    return { shape: 'rectangle', ...where, precision, east: length(57, 8), north: length(65, 8), orientation };
  }
  const [left, right] = [payload.uint(at + 69, 9), payload.uint(at + 78, 9)];
  return { shape: 'sector', ...where, precision, radius: length(57, 12), left, right };
}

/** Reads a linked text of application DAC 1, FI 29 (broadcast) or 30 (addressed) (SN.1/Circ.289, annex, section 12). */
const readLinkedText = (payload: Payload, at: number): LinkedText => ({
  kind: 'linkedText',
  linkage: payload.uint(at, 10),
  text: payload.text(at + 10, Math.floor((payload.bits - at - 10) / 6)),
});
