/**
 * Fields of each message, according to ITU-R M.1371-5, Annex 8. Section numbers below refer to that annex. "Not
 * available" is null.
 */
export type Common = {
  /** Message ID, 1 to 27. */
  type: number;
  /** Repeat indicator: 3 = do not repeat any more. */
  repeat: number;
  /** MMSI as sent, including impossible numbers; see `isMmsi`. */
  mmsi: number;
};

/**
 * Position in degrees, WGS 84, north and east positive. Either both are numbers, or both null (91/181, or out of
 * range).
 */
export type Place = {
  latitude: number | null;
  longitude: number | null;
  /** Position accuracy flag: better than 10 m. */
  accurate: boolean;
  /** Receiver autonomous integrity monitoring is in use. */
  raim: boolean;
};

/** Origin of a position, from the values 60 to 63 of the time stamp; 'none': no time stamp. */
export type PositionMode = 'sensor' | 'none' | 'manual' | 'deadReckoning' | 'inoperative';

/** Size of the ship, measured from its antenna, in metres (M.1371-5, Annex 8, figure 41). */
export type Dimensions = {
  toBow: number;
  toStern: number;
  toPort: number;
  toStarboard: number;
  length: number;
  beam: number;
  /** False if the position of the antenna is not known, so that only length and beam are valid. */
  referenceKnown: boolean;
};

/** Course over ground and true heading in degrees, speed over ground in knots (102.2: or more). */
type Moving = {
  sog: number | null;
  cog: number | null;
  /** UTC second of the position, 0 to 59. */
  second: number | null;
  positionMode: PositionMode;
};

/** Messages 1, 2 and 3: class A (§ 3.1). */
export type PositionA = Common &
  Place &
  Moving & {
    type: 1 | 2 | 3;
    heading: number | null;
    /** Navigational status, 0 to 14: see `statusName`. */
    status: number | null;
    /**
     * Rate of turn in degrees per minute, starboard positive, rounded to hundredths; the encoded scale is quadratic.
     */
    turn: number | null;
    /**
     * The ship turns at least as fast as `turn`: it has no turn indicator (then 10 degrees per minute), or the
     * indicator is at its limit.
     */
    turnAtLeast: boolean;
    /** Special manoeuvre indicator: 1 not engaged, 2 engaged. */
    manoeuvre: number | null;
    /** SOTDMA or ITDMA communication state, 19 bits; null if it was cut off. */
    radio: number | null;
  };

/** Messages 4 and 11: base station, and a ship's UTC response (§ 3.2). */
export type BaseStation = Common &
  Place & {
    type: 4 | 11;
    /** UTC microseconds since 1970; null if a part is missing or impossible. */
    timeUs: number | null;
    fixType: number;
    /** Transmission control for the long-range message 27. */
    longRange: boolean;
    radio: number;
  };

/** Estimated time of arrival in UTC, without a year. */
export type Eta = { month: number | null; day: number | null; hour: number | null; minute: number | null };

/** Message 5: class A static and voyage data (§ 3.3). */
export type StaticVoyage = Common & {
  type: 5;
  /** Version of the standard; 0: M.1371-1, 1: M.1371-3, 2: M.1371-5, 3: later. */
  aisVersion: number;
  /** IMO number; from 10000000 on, official number of the flag state. */
  imo: number | null;
  callSign: string | null;
  name: string | null;
  shipType: number | null;
  dimensions: Dimensions | null;
  fixType: number;
  /** Null if no part of the time is given. */
  eta: Eta | null;
  /** Maximum static draught in metres; 25.5 means that or more. */
  draught: number | null;
  destination: string | null;
  /** The data terminal is ready. */
  dataTerminal: boolean;
};

/** Content of messages 6, 8, 25 and 26. */
export type Binary = {
  /** Designated area code and function identifier; null in messages 25 and 26 without them. */
  dac: number | null;
  fi: number | null;
  /** Content without the application identifier, in whole bytes; the last one is padded with zeros. */
  data: Uint8Array;
  dataBits: number;
  /** The decoded content, if it is complete and the application is known. */
  content: ApplicationData | null;
};

/** Message 6: addressed binary message (§ 3.4). */
export type AddressedBinary = Common &
  Binary & { type: 6; sequence: number; destination: number; retransmitted: boolean; dac: number; fi: number };
/** Message 8: binary broadcast (§ 3.6). */
export type BroadcastBinary = Common & Binary & { type: 8; dac: number; fi: number };

/** Messages 7 and 13: acknowledgement of up to four messages (§ 3.5). */
export type Acknowledge = Common & { type: 7 | 13; acknowledged: { mmsi: number; sequence: number }[] };

/** Message 9: search and rescue aircraft (§ 3.7). Its speed is in whole knots; 1022 means that or more. */
export type SarPosition = Common &
  Place &
  Moving & {
    type: 9;
    /** Altitude in metres; 4094 means that or more. */
    altitude: number | null;
    barometric: boolean;
    dataTerminal: boolean;
    assigned: boolean;
    radio: number;
  };

/** Message 10: UTC inquiry (§ 3.8). */
export type UtcInquiry = Common & { type: 10; destination: number };
/** Message 12: addressed safety-related text (§ 3.10). */
export type AddressedText = Common & {
  type: 12;
  sequence: number;
  destination: number;
  retransmitted: boolean;
  text: string | null;
};
/** Message 14: broadcast safety-related text (§ 3.12). */
export type BroadcastText = Common & { type: 14; text: string | null };

/** Message 15: interrogation (§ 3.13). */
export type Interrogation = Common & {
  type: 15;
  requests: { mmsi: number; messageType: number; slotOffset: number }[];
};
/** Message 16: assignment of slots or rates (§ 3.14). */
export type Assignment = Common & { type: 16; assignments: { mmsi: number; offset: number; increment: number }[] };
/** Message 17: DGNSS corrections (§ 3.15). Its position has a resolution of tenths of a minute. */
export type DgnssBroadcast = Common & {
  type: 17;
  latitude: number | null;
  longitude: number | null;
  data: Uint8Array;
  dataBits: number;
};

/** Capabilities of a class B station (§ 3.16). */
type ClassB = {
  /** True for a carrier-sense unit, false for SOTDMA. */
  carrierSense: boolean;
  display: boolean;
  dsc: boolean;
  /** Operates over the whole marine band. */
  wholeBand: boolean;
  /** Accepts channel management by message 22. */
  message22: boolean;
  assigned: boolean;
};
/** Message 18: class B position (§ 3.16). */
export type PositionB = Common & Place & Moving & ClassB & { type: 18; heading: number | null; radio: number };
/** Message 19: class B extended report (§ 3.17). */
export type PositionBExtended = Common &
  Place &
  Moving & {
    type: 19;
    heading: number | null;
    name: string | null;
    shipType: number | null;
    dimensions: Dimensions | null;
    fixType: number;
    dataTerminal: boolean;
    assigned: boolean;
  };

/** Message 20: slots reserved for base stations (§ 3.18). */
export type DataLink = Common & {
  type: 20;
  reservations: { offset: number; slots: number; timeout: number; increment: number }[];
};

/** Message 21: aid to navigation (§ 3.19). */
export type AidToNavigation = Common &
  Place & {
    type: 21;
    aidType: number | null;
    /** Name including its extension, up to 34 characters. */
    name: string | null;
    dimensions: Dimensions | null;
    fixType: number;
    second: number | null;
    positionMode: PositionMode;
    /** Whether a floating aid is off position; null if the time stamp says "not available". */
    offPosition: boolean | null;
    /** Eight bits of IALA Recommendation A-126: racon, light, health. */
    status: number;
    virtual: boolean;
    assigned: boolean;
  };

/** Corners of an area in degrees, with a resolution of tenths of a minute. */
export type Area = {
  north: number | null;
  east: number | null;
  south: number | null;
  west: number | null;
};
/** Message 22: channels of an area, or of two addressed stations (§ 3.20). */
export type ChannelManagement = Common & {
  type: 22;
  channelA: number;
  channelB: number;
  txRx: number;
  lowPower: boolean;
  area: Area | null;
  destinations: number[];
  narrowA: boolean;
  narrowB: boolean;
  /** Size of the transitional zone in nautical miles, 1 to 8. */
  zone: number;
};
/** Message 23: group assignment (§ 3.21). */
export type GroupAssignment = Common & {
  type: 23;
  area: Area;
  stationType: number;
  shipType: number;
  txRx: number;
  interval: number;
  /** Quiet time in minutes; 0: none. */
  quiet: number;
};

/** Message 24: class B static data, in two parts (§ 3.22). */
export type StaticA24 = Common & { type: 24; part: 'A'; name: string | null };
export type StaticB24 = Common & {
  type: 24;
  part: 'B';
  shipType: number | null;
  /** Vendor ID, three characters. */
  vendor: string | null;
  model: number;
  serial: number;
  callSign: string | null;
  dimensions: Dimensions | null;
  /** MMSI of the mother ship, from an auxiliary craft (98…). */
  mothership: number | null;
  fixType: number;
};

/** Messages 25 and 26: binary messages of a single slot and of multiple slots (§ 3.23, § 3.24). */
export type SlotBinary = Common & Binary & { type: 25 | 26; destination: number | null; radio: number | null };

/**
 * Message 27: long-range position (§ 3.25). Speed and course are in whole knots and degrees, the position in tenths of
 * a minute.
 */
export type LongRange = Common &
  Place & {
    type: 27;
    status: number | null;
    sog: number | null;
    cog: number | null;
    /** The position is more than 5 s old. */
    late: boolean;
  };

export type AisMessage =
  | PositionA
  | BaseStation
  | StaticVoyage
  | AddressedBinary
  | Acknowledge
  | BroadcastBinary
  | SarPosition
  | UtcInquiry
  | AddressedText
  | BroadcastText
  | Interrogation
  | Assignment
  | DgnssBroadcast
  | PositionB
  | PositionBExtended
  | DataLink
  | AidToNavigation
  | ChannelManagement
  | GroupAssignment
  | StaticA24
  | StaticB24
  | SlotBinary
  | LongRange;

/** Messages that contain the sender's position. */
export type PlacedMessage =
  | PositionA
  | BaseStation
  | SarPosition
  | PositionB
  | PositionBExtended
  | AidToNavigation
  | LongRange;
/** Messages with static data about the sender. */
export type StaticMessage = StaticVoyage | PositionBExtended | AidToNavigation | StaticA24 | StaticB24;

export const hasPlace = (message: AisMessage): message is PlacedMessage => 'accurate' in message;
export const isStatic = (message: AisMessage): message is StaticMessage =>
  message.type === 5 || message.type === 19 || message.type === 21 || message.type === 24;

/**
 * Decoded content of a binary message by application, according to IMO SN.1/Circ.236 and 289, and the inland standard
 * of the CCNR.
 */
export type ApplicationData = MetHydro | InlandShip | ShipWeather | WmoWeather | AreaNotice | LinkedText;

/**
 * Meteorological and hydrographic data. Wind in knots, temperatures in degrees Celsius, levels and waves in metres,
 * directions in degrees from true north.
 */
export type MetHydro = {
  kind: 'metHydro';
  latitude: number | null;
  longitude: number | null;
  /** Position accuracy better than 10 m; FI 11 does not state it. */
  accurate: boolean;
  day: number | null;
  hour: number | null;
  minute: number | null;
  windSpeed: number | null;
  gustSpeed: number | null;
  windDirection: number | null;
  gustDirection: number | null;
  airTemperature: number | null;
  /** Relative humidity in percent. */
  humidity: number | null;
  dewPoint: number | null;
  /** Air pressure in hectopascals. */
  pressure: number | null;
  /** 0 steady, 1 falling, 2 rising. */
  pressureTrend: number | null;
  /** Visibility in nautical miles. */
  visibility: number | null;
  /** The actual visibility exceeds the range of the sensor. */
  visibilityAtLeast: boolean;
  /** Water level above chart datum. */
  waterLevel: number | null;
  levelTrend: number | null;
  /** Currents at the surface (depth 0), and at up to two depths below; speed in knots, depth in metres. */
  currents: { speed: number | null; direction: number | null; depth: number | null }[];
  waveHeight: number | null;
  wavePeriod: number | null;
  waveDirection: number | null;
  swellHeight: number | null;
  swellPeriod: number | null;
  swellDirection: number | null;
  /** Sea state on the Beaufort scale, 0 to 12. */
  seaState: number | null;
  waterTemperature: number | null;
  precipitation: number | null;
  /** Salinity in parts per thousand. */
  salinity: number | null;
  ice: boolean | null;
};

/** DAC 200, FI 10: inland ship static and voyage data. */
export type InlandShip = {
  kind: 'inlandShip';
  /** European vessel identification number (ENI). */
  eni: string | null;
  /** Length in metres. */
  length: number | null;
  beam: number | null;
  /** ERI code of the ship or convoy type. */
  eriType: number;
  /** Number of blue cones, 0 to 3; 4 is the B flag. */
  hazard: number | null;
  draught: number | null;
  loaded: boolean | null;
  speedQuality: boolean;
  courseQuality: boolean;
  headingQuality: boolean;
};

/** DAC 1, FI 21, variant 0: weather seen from a ship. Units as in MetHydro. */
export type ShipWeather = {
  kind: 'shipWeather';
  location: string | null;
  latitude: number | null;
  longitude: number | null;
  day: number | null;
  hour: number | null;
  minute: number | null;
  /** 0 clear, 1 cloudy, 2 rain, 3 fog, 4 snow, 5 typhoon, 6 monsoon, 7 thunderstorm. */
  weather: number | null;
  visibility: number | null;
  visibilityAtLeast: boolean;
  humidity: number | null;
  windSpeed: number | null;
  windDirection: number | null;
  pressure: number | null;
  pressureTrend: number | null;
  airTemperature: number | null;
  waterTemperature: number | null;
  wavePeriod: number | null;
  waveHeight: number | null;
  waveDirection: number | null;
  swellHeight: number | null;
  swellDirection: number | null;
  swellPeriod: number | null;
};

/** DAC 1, FI 21, variant 1: a WMO observation. Its meteorological codes are not decoded. */
export type WmoWeather = { kind: 'wmoWeather'; latitude: number | null; longitude: number | null };

export type NoticeArea =
  | { shape: 'circle'; latitude: number | null; longitude: number | null; precision: number; radius: number }
  | {
      shape: 'rectangle';
      latitude: number | null;
      longitude: number | null;
      precision: number;
      east: number;
      north: number;
      orientation: number;
    }
  | {
      shape: 'sector';
      latitude: number | null;
      longitude: number | null;
      precision: number;
      radius: number;
      left: number;
      right: number;
    }
  /**
   * Each point is relative to the previous one, the first to the last point of the preceding sub-area: true bearing in
   * degrees, distance in metres.
   */
  | { shape: 'polyline' | 'polygon'; points: { bearing: number; distance: number }[] }
  | { shape: 'text'; text: string | null };

/** DAC 1, FI 22 and 23: area notice. Lengths in metres, angles in degrees. */
export type AreaNotice = {
  kind: 'areaNotice';
  linkage: number;
  /** Type of notice, according to SN.1/Circ.289, table 11.11; 127 means no notice. */
  noticeType: number;
  month: number | null;
  day: number | null;
  hour: number | null;
  minute: number | null;
  /** Duration in minutes; 0 means cancelled. */
  duration: number | null;
  areas: NoticeArea[];
};

/** DAC 1, FI 29 and 30: text that belongs to another message with the same linkage number. */
export type LinkedText = { kind: 'linkedText'; linkage: number; text: string | null };
