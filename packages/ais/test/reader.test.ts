import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import {
  type AisFaultKind,
  type AisMessage,
  createAisReader,
  encodeSentences,
  NMEA2000_TEXT,
  type PositionReport,
  positionMessage,
} from '../src/index.ts';
import { EVERY_TYPE } from './every-type.ts';

type Heard = {
  type: number;
  mmsi: number;
  timeUs: number | null;
  timeFrom: 'tagBlock' | 'line' | null;
  receivedUs: number | null;
  source: string | null;
  station: string;
  own: boolean;
  channel: string | null;
};

function listen() {
  const heard: Heard[] = [];
  const messages: AisMessage[] = [];
  const faults: AisFaultKind[] = [];
  const reader = createAisReader({
    onMessage(message, { timeUs, timeFrom, receivedUs, source, station, own, channel }) {
      messages.push(message);
      const { type, mmsi } = message;
      heard.push({ type, mmsi, timeUs, timeFrom, receivedUs, source, station, own, channel });
    },
    onFault: ({ kind }) => faults.push(kind),
  });
  return { reader, heard, messages, faults };
}

/** Reads lines of text, each with its line end. */
function read(...lines: string[]) {
  const listening = listen();
  listening.reader.push(new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join('')));
  listening.reader.end();
  return listening;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** XOR of the text in a tag block. */
const tagged = (text: string) => {
  let sum = 0;
  for (const character of text) sum ^= character.charCodeAt(0);
  return `\\${text}*${sum.toString(16).padStart(2, '0')}\\`;
};

const SHIP = '!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A';
const [FIRST, SECOND] = encodeSentences(EVERY_TYPE.find(({ type }) => type === 5)!, { sequence: 3, channel: 'B' }) as [
  string,
  string,
];
const T0 = 1_700_000_000;

describe('a sentence', () => {
  it('gives its fields, with null for what is not available', () => {
    const { messages } = read('!AIVDM,1,1,,A,16SteH0P00Jt63hHaa6SagvJ087r,0*42');
    expect(messages).toEqual([
      {
        ...{ type: 1, repeat: 0, mmsi: 440348000, status: 0, turn: null, turnAtLeast: false, sog: 0, accurate: false },
        ...{ longitude: expect.closeTo(-70.7582, 9), latitude: expect.closeTo(43.08015, 9), cog: 93.4, heading: null },
        ...{ second: 13, positionMode: 'sensor', manoeuvre: null, raim: false, radio: 33274 },
      },
    ]);
  });

  it('at 91 north, 181 east has no place', () => {
    const lost = { ...(EVERY_TYPE[0] as AisMessage & { type: 1 }), latitude: null, longitude: null };
    expect(read(...encodeSentences(lost)).messages).toEqual([lost]);
  });

  it('says its station, its channel and whether it is the own ship', () => {
    const own = encodeSentences(EVERY_TYPE[0]!, { talker: 'BS', own: true, channel: 'B' });
    const silent = encodeSentences(EVERY_TYPE[0]!, { talker: 'AN', channel: null });
    expect(read(...own, ...silent).heard).toMatchObject([
      { station: 'BS', own: true, channel: 'B' },
      { station: 'AN', own: false, channel: null },
    ]);
  });

  it('of every type reads the same after it was written', () => {
    for (const message of EVERY_TYPE) {
      const { messages, faults } = read(...encodeSentences(message));
      expect(messages).toEqual([message]);
      expect(faults).toEqual([]);
    }
  });

  it('may be cut anywhere, and end with LF, CR or both', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      const bytes = bytesOf([SHIP, FIRST, SECOND, SHIP].map((line) => line + end).join(''));
      for (let cut = 1; cut < bytes.length; cut++) {
        const { reader, heard, faults } = listen();
        reader.push(bytes.subarray(0, cut));
        reader.push(bytes.subarray(cut));
        reader.end();
        expect(heard.map(({ type }) => type)).toEqual([1, 5, 1]);
        expect(faults).toEqual([]);
        expect(reader.counts).toMatchObject({ lines: 4, sentences: 4, messages: 3 });
      }
    }
  });

  it('is refused where its checksum has a digit that is none, also where the other one makes up for it', () => {
    for (const digits of ['4', '4G', 'G4', ' A', '5@', '-A']) {
      for (const end of ['', ' \\']) {
        const { heard, faults } = read(`${SHIP.slice(0, -2)}${digits}${end}`);

        expect(heard, digits).toEqual([]);
        expect(faults[0], digits).toBe('checksum');
      }
    }
    // 16 - 1 is the sum of a sentence that ends with 0F.
    const body = [...Array(64)]
      .map((_, i) => SHIP.slice(0, -5) + String.fromCharCode(48 + i))
      .map((text) => `${text},0`);
    const sumOf = (text: string) => [...text.slice(1)].reduce((sum, character) => sum ^ character.charCodeAt(0), 0);
    const fifteen = body.find((text) => sumOf(text) === 15);
    expect(fifteen).toBeDefined();
    expect(read(`${fifteen}*0F`).faults).toEqual([]);
    expect(read(`${fifteen}*1G`).faults).toEqual(['checksum']);
  });

  it('may be alone in a datagram, with or without an end of line', () => {
    const { reader, heard } = listen();
    reader.pushDatagram(bytesOf(SHIP), 5);
    reader.pushDatagram(bytesOf(`${SHIP}\r\n${SHIP}\r\n`), 6);
    expect(heard.map(({ receivedUs }) => receivedUs)).toEqual([5, 6, 6]);
  });

  it('is forgotten half on a new connection', () => {
    const { reader, heard } = listen();
    reader.push(bytesOf(SHIP.slice(0, 20)));
    reader.restart();
    reader.push(bytesOf(`${SHIP}\n`));
    expect(heard).toHaveLength(1);
  });
});

describe('parts of a message', () => {
  const kinds = (...lines: string[]) => {
    const { heard, faults } = read(...lines);
    return [...heard.map(({ type }) => type), ...faults];
  };

  it('are joined in any order', () => {
    expect(kinds(FIRST, SECOND)).toEqual([5]);
    expect(kinds(SECOND, FIRST)).toEqual([5]);
  });

  it('of two channels or talkers are not mixed', () => {
    const other = { ...EVERY_TYPE.find(({ type }) => type === 5)!, mmsi: 1 } as AisMessage;
    const [otherFirst, otherSecond] = encodeSentences(other, { sequence: 3, channel: 'A' });
    const { heard } = read(FIRST, otherFirst!, SECOND, otherSecond!);
    expect(heard.map(({ mmsi, channel }) => [mmsi, channel])).toEqual([
      [211000105, 'B'],
      [1, 'A'],
    ]);
  });

  it('of two sources with the same number are not mixed, and a part without source belongs to the open one', () => {
    const lines = ['a', 'b'].map((source, index) => {
      const message = { ...EVERY_TYPE.find(({ type }) => type === 5)!, mmsi: 211000001 + index } as AisMessage;
      const [first, second] = encodeSentences(message, { sequence: 1, source });
      return [first!, `${tagged(`s:${source}`)}${second}`] as const;
    });
    const { heard } = read(lines[0]![0], lines[1]![0], lines[0]![1], lines[1]![1]);
    expect(heard).toMatchObject([
      { mmsi: 211000001, source: 'a' },
      { mmsi: 211000002, source: 'b' },
    ]);
    const [first, second] = encodeSentences(EVERY_TYPE.find(({ type }) => type === 5)!, {
      source: 'a',
      timeUs: T0 * 1e6,
    });
    expect(read(first!, second!).heard).toMatchObject([{ source: 'a', timeUs: T0 * 1e6, timeFrom: 'tagBlock' }]);
  });

  it('of one tag-block group belong together', () => {
    expect(kinds(`${tagged('g:1-2-73,s:x')}${FIRST}`, SHIP, `${tagged('g:2-2-73')}${SECOND}`)).toEqual([1, 5]);
    expect(kinds(`${tagged('g:1-2-73')}${FIRST}`, `${tagged('g:2-2-74')}${SECOND}`)).toEqual([
      'unfinished',
      'orphanPart',
    ]);
    expect(kinds(`${tagged('1G2:0125')}${FIRST}`, `${tagged('2G2:0125')}${SECOND}`)).toEqual([5]);
  });

  it('are dropped after two seconds', () => {
    const { reader, heard, faults } = listen();
    reader.pushDatagram(bytesOf(FIRST), T0 * 1e6);
    reader.pushDatagram(bytesOf(SECOND), (T0 + 3) * 1e6);
    reader.pushDatagram(bytesOf(FIRST), (T0 + 4) * 1e6);
    expect(faults).toEqual(['unfinished']);
    expect(heard.map(({ type }) => type)).toEqual([5]);
  });

  it('in a file without times are dropped after 200 sentences', () => {
    expect(kinds(FIRST, ...Array.from({ length: 300 }, () => SHIP), SECOND).slice(300)).toEqual([
      'unfinished',
      'orphanPart',
    ]);
  });

  it('without their others take the memory of 64 messages', () => {
    const firsts = Array.from({ length: 500 }, (_, i) => `${tagged(`s:x${i}`)}${FIRST}`);
    const { reader, faults } = listen();
    reader.push(bytesOf(firsts.map((line) => `${line}\n`).join('')), 1);
    expect(faults).toHaveLength(500 - 64);
    reader.end();
    expect(faults).toHaveLength(500);
  });
});

describe('the time of a sentence', () => {
  const timeOf = (...lines: string[]) => {
    const [{ timeUs, timeFrom } = { timeUs: undefined, timeFrom: undefined }] = read(...lines).heard;
    return [timeUs === null || timeUs === undefined ? timeUs : timeUs / 1e6, timeFrom];
  };

  it('is that of its tag block, in seconds or milliseconds', () => {
    expect(timeOf(`${tagged(`c:${T0}`)}${SHIP}`)).toEqual([T0, 'tagBlock']);
    expect(timeOf(`${tagged(`s:x,c:${T0}250,n:5`)}${SHIP}`)).toEqual([T0 + 0.25, 'tagBlock']);
    expect(timeOf(tagged(`c:${T0}`), SHIP)).toEqual([T0, 'tagBlock']);
  });

  it('is one that the logger wrote next to it', () => {
    const date = new Date(T0 * 1000).toISOString();
    expect(timeOf(`${SHIP},${T0}`)).toEqual([T0, 'line']);
    expect(timeOf(`${SHIP},d-109,S2105,t050056.00,T56.13718694,r003669946,${T0},1325394001`)).toEqual([T0, 'line']);
    expect(timeOf(`${T0}123;A;${SHIP}`)).toEqual([T0 + 0.123, 'line']);
    expect(timeOf(`${date} ${SHIP}`)).toEqual([T0, 'line']);
    expect(timeOf(`${date.slice(0, 19).replace('T', ' ')},${SHIP}`)).toEqual([T0, 'line']);
    expect(timeOf(`${SHIP} ${date.slice(0, 19)}+01:00`)).toEqual([T0 - 3600, 'line']);
    const day = Date.UTC(2026, 2, 4) / 1000;
    expect(timeOf(`2026-03-04 03:57:10 PM ${SHIP}`)).toEqual([day + 57_430, 'line']);
    expect(timeOf(`2026-03-04 12:00:01 am,${SHIP}`)).toEqual([day + 1, 'line']);
    expect(timeOf(`2026-03-04 12:00:01PM;${SHIP}`)).toEqual([day + 43_201, 'line']);
  });

  it('is that of the Gatehouse sentence before it, if its checksum matches', () => {
    expect(timeOf('$PGHP,1,2008,5,9,0,0,0,10,338,2,,1,4A*17', SHIP)).toEqual([
      Date.UTC(2008, 4, 9) / 1000 + 0.01,
      'line',
    ]);
    expect(timeOf('$PGHP,1,2008,5,9,0,0,0,10,338,2,,1,09*17', SHIP)).toEqual([null, null]);
  });

  it('is none if nothing states it, and the tag block comes before the text next to it', () => {
    expect(timeOf(SHIP)).toEqual([null, null]);
    expect(timeOf(`${tagged(`c:${T0}`)}${SHIP},${T0 + 5}`)).toEqual([T0, 'tagBlock']);
    expect(timeOf(`${SHIP},r003669945,13`)).toEqual([null, null]);
  });
});

it('a dump of NMEA 2000 is recognised', () => {
  const dumps = [
    '(1345212884.318850) can0 09F80115#0102030405060708',
    '  can0  09F80115   [8]  01 02 03 04 05 06 07 08',
    'A173321.107 23FF7 1F513 012F3070002F30709F',
    '00:01:54.430 R 15FD0A10 00 00 00 68 65 0F 00 FF',
    '$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59',
    '2011-11-24-22:42:04.388,2,127251,36,255,8,7d,0b,7d,02,00,ff,ff,ff',
  ];
  for (const dump of dumps) expect(read(dump).faults).toEqual(['nmea2000']);
  expect(
    read('$GPRMC,213950.00,A,5250.53669,N,00542.34920,E,0.020,,070420,,,A*7D', '# 2011-11-24 comment').faults,
  ).toEqual([]);
  expect(NMEA2000_TEXT).toContain('NMEA 0183');
});

describe('position reports', () => {
  it('have nothing of the report before', () => {
    const of = (type: number) => EVERY_TYPE.find((message) => message.type === type)!;
    const seen: PositionReport[] = [];
    const reader = createAisReader({ onMessage() {}, onPosition: (report) => seen.push({ ...report }) });
    const lines = [18, 9, 27, 1].flatMap((type) => encodeSentences(of(type)));
    reader.push(bytesOf(`${lines.join('\n')}\n`));
    const [classB, aircraft, longRange, classA] = seen;
    expect(classB).toMatchObject({ dsc: true, late: false, altitude: Number.NaN, status: Number.NaN });
    expect(aircraft).toMatchObject({ dsc: false, barometric: true, heading: Number.NaN });
    expect(longRange).toMatchObject({ barometric: false, late: true, second: Number.NaN, altitude: Number.NaN });
    expect(classA).toMatchObject({ late: false, dsc: false, altitude: Number.NaN, turn: 10.04 });
  });

  it('come in one record that is used again, and as the same objects', () => {
    const reports = new Set<PositionReport>();
    const objects: AisMessage[] = [];
    const others: AisMessage[] = [];
    const reader = createAisReader({
      onMessage: (message) => others.push(message),
      onPosition(report) {
        reports.add(report);
        objects.push(positionMessage(report));
      },
    });
    reader.push(bytesOf(EVERY_TYPE.flatMap((message) => encodeSentences(message)).join('\n')));
    reader.end();
    const positions = EVERY_TYPE.filter(({ type }) => [1, 2, 3, 9, 18, 27].includes(type));
    expect(reports.size).toBe(1);
    expect(objects).toEqual(positions);
    expect(others).toHaveLength(EVERY_TYPE.length - positions.length);
  });
});

/** Sentences and messages of recordings of others; `none` lists the faults that the recordings have. */
const RECORDINGS: Readonly<
  Record<string, { sentences: number; messages: number; faults: Partial<Record<AisFaultKind, number>> }>
> = {
  'opencpn/Go_to_Guernesey.txt': { sentences: 18124, messages: 17763, faults: {} },
  'risky/exact-earth-with-tag-block.txt': { sentences: 221, messages: 200, faults: {} },
  'risky/nmea-timestamped.txt': { sentences: 100, messages: 100, faults: { tagBlock: 100 } },
  'pyais/nmea_data_sample.txt': { sentences: 898, messages: 778, faults: { form: 100, unfinished: 20 } },
  'gpsd/ais-nmea.log': { sentences: 183, messages: 171, faults: {} },
  'dma/decode_encode_messages.txt': { sentences: 646, messages: 601, faults: {} },
  'dma/small_cb_example.txt': { sentences: 16, messages: 11, faults: { orphanPart: 1 } },
};

describe('recordings', () => {
  for (const [file, expected] of Object.entries(RECORDINGS)) {
    itWithData(`${file}: every message is found, every fault counted`, () => {
      const { reader } = listen();
      reader.push(readFileSync(testData(`ais/${file}`)));
      reader.end();
      const { sentences, messages, faults } = reader.counts;
      const found = Object.fromEntries(Object.entries(faults).filter(([, count]) => count > 0));
      expect({ sentences, messages, faults: found }).toEqual(expected);
    });
  }

  itWithData('libais/test.aivdm: the time that the logger wrote next to each sentence is its time', () => {
    const { reader, heard } = listen();
    reader.push(readFileSync(testData('ais/libais/test.aivdm')));
    reader.end();
    expect(heard.length).toBeGreaterThan(200);
    expect(heard.filter(({ timeFrom }) => timeFrom !== 'line')).toEqual([]);
    expect(heard[0]!.timeUs).toBe(1_272_412_827_000_000);
  });

  itWithData('dma/replay_dump.txt: each message has the time of the Gatehouse sentence before it', () => {
    const { reader, heard } = listen();
    reader.push(readFileSync(testData('ais/dma/replay_dump.txt')));
    reader.end();
    expect(heard.filter(({ timeFrom }) => timeFrom !== 'line')).toEqual([]);
    expect(heard[0]!.timeUs).toBe(Date.UTC(2013, 2, 18, 9, 19, 9, 499) * 1000);
  });

  itWithData(
    'risky/exact-earth-with-tag-block.txt: parts tied by a group have the source and time of the first',
    () => {
      const { reader, heard } = listen();
      reader.push(readFileSync(testData('ais/risky/exact-earth-with-tag-block.txt')));
      reader.end();
      expect(heard.filter(({ timeFrom }) => timeFrom !== 'tagBlock')).toEqual([]);
      expect(heard[0]).toMatchObject({ type: 5, source: 'rEV02', timeUs: 1_334_337_317_000_000 });
    },
  );
});
