export { encodeMessage } from './encode.ts';
export { AIS_FAULT_KINDS, type AisFault, type AisFaultKind, NMEA2000_TEXT } from './faults.ts';
export { createLines, type Lines, type LinesOptions, MAX_LINE_BYTES } from './lines.ts';
export type * from './messages.ts';
export { hasPlace, isStatic } from './messages.ts';
export * from './names.ts';
export { PositionReport, positionMessage } from './position-report.ts';
export { type AisCounts, type AisReader, type AisReaderOptions, createAisReader, type Origin } from './reader.ts';
export { encodeSentences, type SentenceOptions } from './sentences.ts';
