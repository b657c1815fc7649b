import {
  turnField,
  writeArea,
  writeDimensions,
  writeEta,
  writeHead,
  writePlace,
  writeScaled,
  writeStamp,
} from './encode-fields.ts';
import { COARSE } from './fields.ts';
import type {
  AidToNavigation,
  AisMessage,
  Assignment,
  BaseStation,
  Binary,
  ChannelManagement,
  DataLink,
  GroupAssignment,
  Interrogation,
  LongRange,
  PositionA,
  PositionB,
  PositionBExtended,
  SarPosition,
  SlotBinary,
  StaticB24,
  StaticVoyage,
} from './messages.ts';
import { PayloadWriter } from './payload-writer.ts';

/**
 * Encodes a message in the armour of IEC 61162-1, for simulators, exports and tests. Binary messages are written from
 * `data`; `content` is ignored.
 *
 * @returns the payload, and the number of fill bits in its last character
 * @throws RangeError that names the field, if a value does not fit
 */
export function encodeMessage(message: AisMessage): { payload: string; fill: number } {
  const writer = new PayloadWriter();
  writeHead(writer, message);
  writeBody(writer, message);
  return writer.armour();
}

function writeBody(writer: PayloadWriter, message: AisMessage) {
  switch (message.type) {
    case 1:
    case 2:
    case 3:
      return writePositionA(writer, message);
    case 4:
    case 11:
      return writeBaseStation(writer, message);
    case 5:
      return writeStaticVoyage(writer, message);
    case 6:
      writer.uint('sequence', 2, message.sequence);
      writer.uint('destination', 30, message.destination);
      writer.flag(message.retransmitted);
      writer.zeros(1);
      return writeBinary(writer, message);
    case 7:
    case 13:
      writer.zeros(2);
      for (const { mmsi, sequence } of message.acknowledged) {
        writer.uint('acknowledged.mmsi', 30, mmsi);
        writer.uint('acknowledged.sequence', 2, sequence);
      }
      return;
    case 8:
      writer.zeros(2);
      return writeBinary(writer, message);
    case 9:
      return writeAircraft(writer, message);
    case 10:
      writer.zeros(2);
      writer.uint('destination', 30, message.destination);
      return writer.zeros(2);
    case 12:
      writer.uint('sequence', 2, message.sequence);
      writer.uint('destination', 30, message.destination);
      writer.flag(message.retransmitted);
      writer.zeros(1);
      return writer.text('text', message.text?.length ?? 0, message.text);
    case 14:
      writer.zeros(2);
      return writer.text('text', message.text?.length ?? 0, message.text);
    case 15:
      return writeInterrogation(writer, message);
    case 16:
      return writeAssignment(writer, message);
    case 17:
      writer.zeros(2);
      writePlace(writer, message, COARSE);
      writer.zeros(5);
      return writer.bytes('data', message.data, message.dataBits);
    case 18:
      return writePositionB(writer, message);
    case 19:
      return writePositionBExtended(writer, message);
    case 20:
      return writeDataLink(writer, message);
    case 21:
      return writeAid(writer, message);
    case 22:
      return writeChannels(writer, message);
    case 23:
      return writeGroup(writer, message);
    case 24:
      writer.uint('part', 2, message.part === 'A' ? 0 : 1);
      if (message.part === 'B') return writeStaticB(writer, message);
      writer.text('name', 20, message.name);
      return writer.zeros(8);
    case 25:
    case 26:
      return writeSlotBinary(writer, message);
    case 27:
      return writeLongRange(writer, message);
  }
}

function writePositionA(writer: PayloadWriter, message: PositionA) {
  writer.uint('status', 4, message.status ?? 15);
  writer.int('turn', 8, turnField(message.turn, message.turnAtLeast));
  writeScaled(writer, 'sog', 10, message.sog, { scale: 10, none: 1023 });
  writer.flag(message.accurate);
  writePlace(writer, message);
  writeScaled(writer, 'cog', 12, message.cog, { scale: 10, none: 3600 });
  writeScaled(writer, 'heading', 9, message.heading, { none: 511 });
  writeStamp(writer, message.second, message.positionMode);
  writer.uint('manoeuvre', 2, message.manoeuvre ?? 0);
  writer.zeros(3);
  writer.flag(message.raim);
  if (message.radio !== null) writer.uint('radio', 19, message.radio);
}

function writeBaseStation(writer: PayloadWriter, message: BaseStation) {
  const time = message.timeUs === null ? null : new Date(message.timeUs / 1000);
  writer.uint('year', 14, time?.getUTCFullYear() ?? 0);
  writer.uint('month', 4, time === null ? 0 : time.getUTCMonth() + 1);
  writer.uint('day', 5, time?.getUTCDate() ?? 0);
  writer.uint('hour', 5, time?.getUTCHours() ?? 24);
  writer.uint('minute', 6, time?.getUTCMinutes() ?? 60);
  writer.uint('second', 6, time?.getUTCSeconds() ?? 60);
  writer.flag(message.accurate);
  writePlace(writer, message);
  writer.uint('fixType', 4, message.fixType);
  writer.flag(message.longRange);
  writer.zeros(9);
  writer.flag(message.raim);
  writer.uint('radio', 19, message.radio);
}

function writeStaticVoyage(writer: PayloadWriter, message: StaticVoyage) {
  writer.uint('aisVersion', 2, message.aisVersion);
  writer.uint('imo', 30, message.imo ?? 0);
  writer.text('callSign', 7, message.callSign);
  writer.text('name', 20, message.name);
  writer.uint('shipType', 8, message.shipType ?? 0);
  writeDimensions(writer, message.dimensions);
  writer.uint('fixType', 4, message.fixType);
  writeEta(writer, message.eta);
  writeScaled(writer, 'draught', 8, message.draught, { scale: 10, none: 0 });
  writer.text('destination', 20, message.destination);
  writer.flag(!message.dataTerminal);
  writer.zeros(1);
}

function writeAircraft(writer: PayloadWriter, message: SarPosition) {
  writeScaled(writer, 'altitude', 12, message.altitude, { none: 4095 });
  writeScaled(writer, 'sog', 10, message.sog, { none: 1023 });
  writer.flag(message.accurate);
  writePlace(writer, message);
  writeScaled(writer, 'cog', 12, message.cog, { scale: 10, none: 3600 });
  writeStamp(writer, message.second, message.positionMode);
  writer.flag(message.barometric);
  writer.zeros(7);
  writer.flag(!message.dataTerminal);
  writer.zeros(3);
  writer.flag(message.assigned);
  writer.flag(message.raim);
  writer.uint('radio', 20, message.radio);
}

/** Writes requests for one or two messages of one station, then one message of a second station. */
function writeInterrogation(writer: PayloadWriter, { requests }: Interrogation) {
  const [first, ...others] = requests;
  if (first === undefined) throw new RangeError('requests are empty');
  const second = others.find(({ mmsi }) => mmsi === first.mmsi);
  const other = others.find(({ mmsi }) => mmsi !== first.mmsi);
  const request = (of: { messageType: number; slotOffset: number } | undefined) => {
    writer.uint('requests.messageType', 6, of?.messageType ?? 0);
    writer.uint('requests.slotOffset', 12, of?.slotOffset ?? 0);
    writer.zeros(2);
  };
  writer.zeros(2);
  writer.uint('requests.mmsi', 30, first.mmsi);
  request(first);
  if (second === undefined && other === undefined) return;
  request(second);
  if (other === undefined) return;
  writer.uint('requests.mmsi', 30, other.mmsi);
  request(other);
}

function writeAssignment(writer: PayloadWriter, { assignments }: Assignment) {
  writer.zeros(2);
  for (const { mmsi, offset, increment } of assignments) {
    writer.uint('assignments.mmsi', 30, mmsi);
    writer.uint('assignments.offset', 12, offset);
    writer.uint('assignments.increment', 10, increment);
  }
  if (assignments.length === 1) writer.zeros(4);
}

function writePositionB(writer: PayloadWriter, message: PositionB) {
  writer.zeros(8);
  writeScaled(writer, 'sog', 10, message.sog, { scale: 10, none: 1023 });
  writer.flag(message.accurate);
  writePlace(writer, message);
  writeScaled(writer, 'cog', 12, message.cog, { scale: 10, none: 3600 });
  writeScaled(writer, 'heading', 9, message.heading, { none: 511 });
  writeStamp(writer, message.second, message.positionMode);
  writer.zeros(2);
  for (const flag of ['carrierSense', 'display', 'dsc', 'wholeBand', 'message22', 'assigned', 'raim'] as const) {
    writer.flag(message[flag]);
  }
  writer.uint('radio', 20, message.radio);
}

function writePositionBExtended(writer: PayloadWriter, message: PositionBExtended) {
  writer.zeros(8);
  writeScaled(writer, 'sog', 10, message.sog, { scale: 10, none: 1023 });
  writer.flag(message.accurate);
  writePlace(writer, message);
  writeScaled(writer, 'cog', 12, message.cog, { scale: 10, none: 3600 });
  writeScaled(writer, 'heading', 9, message.heading, { none: 511 });
  writeStamp(writer, message.second, message.positionMode);
  writer.zeros(4);
  writer.text('name', 20, message.name);
  writer.uint('shipType', 8, message.shipType ?? 0);
  writeDimensions(writer, message.dimensions);
  writer.uint('fixType', 4, message.fixType);
  writer.flag(message.raim);
  writer.flag(!message.dataTerminal);
  writer.flag(message.assigned);
  writer.zeros(4);
}

function writeDataLink(writer: PayloadWriter, { reservations }: DataLink) {
  writer.zeros(2);
  for (const { offset, slots, timeout, increment } of reservations) {
    writer.uint('reservations.offset', 12, offset);
    writer.uint('reservations.slots', 4, slots);
    writer.uint('reservations.timeout', 3, timeout);
    writer.uint('reservations.increment', 11, increment);
  }
}

function writeAid(writer: PayloadWriter, message: AidToNavigation) {
  const name = message.name ?? '';
  writer.uint('aidType', 5, message.aidType ?? 0);
  writer.text('name', 20, name.slice(0, 20));
  writer.flag(message.accurate);
  writePlace(writer, message);
  writeDimensions(writer, message.dimensions);
  writer.uint('fixType', 4, message.fixType);
  writeStamp(writer, message.second, message.positionMode);
  writer.flag(message.offPosition === true);
  writer.uint('status', 8, message.status);
  writer.flag(message.raim);
  writer.flag(message.virtual);
  writer.flag(message.assigned);
  writer.zeros(1);
  const extension = name.slice(20);
  if (extension.length > 14) throw new RangeError('name is no text of up to 34 six-bit characters');
  writer.text('name', extension.length, extension);
  // Pads to whole bytes.
  writer.zeros((8 - (writer.length % 8)) % 8);
}

function writeChannels(writer: PayloadWriter, message: ChannelManagement) {
  writer.zeros(2);
  writer.uint('channelA', 12, message.channelA);
  writer.uint('channelB', 12, message.channelB);
  writer.uint('txRx', 4, message.txRx);
  writer.flag(message.lowPower);
  if (message.area !== null) writeArea(writer, message.area);
  else {
    for (const index of [0, 1]) {
      writer.uint('destinations', 30, message.destinations[index] ?? 0);
      writer.zeros(5);
    }
  }
  writer.flag(message.area === null);
  writer.flag(message.narrowA);
  writer.flag(message.narrowB);
  writer.uint('zone', 3, message.zone - 1);
  writer.zeros(23);
}

function writeGroup(writer: PayloadWriter, message: GroupAssignment) {
  writer.zeros(2);
  writeArea(writer, message.area);
  writer.uint('stationType', 4, message.stationType);
  writer.uint('shipType', 8, message.shipType);
  writer.zeros(22);
  writer.uint('txRx', 2, message.txRx);
  writer.uint('interval', 4, message.interval);
  writer.uint('quiet', 4, message.quiet);
  writer.zeros(6);
}

function writeStaticB(writer: PayloadWriter, message: StaticB24) {
  writer.uint('shipType', 8, message.shipType ?? 0);
  writer.text('vendor', 3, message.vendor);
  writer.uint('model', 4, message.model);
  writer.uint('serial', 20, message.serial);
  writer.text('callSign', 7, message.callSign);
  if (message.mothership === null) writeDimensions(writer, message.dimensions);
  else writer.uint('mothership', 30, message.mothership);
  writer.uint('fixType', 4, message.fixType);
  writer.zeros(2);
}

function writeSlotBinary(writer: PayloadWriter, message: SlotBinary) {
  writer.flag(message.destination !== null);
  writer.flag(message.dac !== null);
  if (message.destination !== null) {
    writer.uint('destination', 30, message.destination);
    writer.zeros(2);
  }
  writeBinary(writer, message);
  if (message.type === 26) {
    writer.zeros(4);
    writer.uint('radio', 20, message.radio ?? 0);
  }
}

function writeBinary(writer: PayloadWriter, { dac, fi, data, dataBits }: Binary) {
  if (dac !== null) {
    writer.uint('dac', 10, dac);
    writer.uint('fi', 6, fi ?? 0);
  }
  writer.bytes('data', data, dataBits);
}

function writeLongRange(writer: PayloadWriter, message: LongRange) {
  writer.flag(message.accurate);
  writer.flag(message.raim);
  writer.uint('status', 4, message.status ?? 15);
  writePlace(writer, message, COARSE);
  writeScaled(writer, 'sog', 6, message.sog, { none: 63 });
  writeScaled(writer, 'cog', 9, message.cog, { none: 511 });
  writer.flag(message.late);
  writer.zeros(1);
}
