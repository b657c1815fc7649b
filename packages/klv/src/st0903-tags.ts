import { composite, count, enumeration, imapb, type TagInfo, type TagRow, tagTable, time, utf8 } from './tag-info.ts';

const ANGLE = imapb({ bytes: 2, min: 0, max: 180, unit: '°', maxBytes: 8 });
const OFFSET = imapb({ bytes: 3, min: -19.2, max: 19.2, unit: '°', maxBytes: 8 });
const HEIGHT = imapb({ bytes: 2, min: -900, max: 19000, unit: 'm', maxBytes: 8 });
/** ST 0903.5 table 13: number of a pixel, counted from 1 row by row, starting at the upper left. */
const PIXEL_NUMBER = count({ min: 1, max: 6 });
const UP_TO_3 = count({ min: 1, max: 3 });
const PERCENT = count(1, '%');
const SET = composite('set');
const PACK = composite('pack');

/** ST 0903.5 section 8: VMTI local set. */
const vmtiRows: readonly TagRow[] = [
  [1, 'Checksum', 'other', count(2)],
  [2, 'Precision Time Stamp', 'time', time(1)],
  [3, 'VMTI System Name', 'identity', utf8()],
  [4, 'VMTI LS Version Number', 'other', count({ min: 1, max: 2 })],
  [5, 'Total Number of Targets Detected', 'target', UP_TO_3],
  [6, 'Number of Reported Targets', 'target', UP_TO_3],
  [7, 'Motion Imagery Frame Number', 'image', UP_TO_3],
  [8, 'Frame Width', 'image', count({ min: 1, max: 3 }, 'px')],
  [9, 'Frame Height', 'image', count({ min: 1, max: 3 }, 'px')],
  [10, 'VMTI Source Sensor', 'sensor', utf8()],
  [11, 'VMTI Sensor Horizontal Field of View', 'sensor', ANGLE],
  [12, 'VMTI Sensor Vertical Field of View', 'sensor', ANGLE],
  [13, 'MIIS Core Identifier', 'identity', PACK],
  [101, 'VTarget Series', 'target', PACK],
  [102, 'Algorithm Series', 'target', PACK],
  [103, 'Ontology Series', 'target', PACK],
];

/** ST 0903.5 section 9: items of a VTarget pack that follow its target id. */
const targetRows: readonly TagRow[] = [
  [1, 'Target Centroid', 'target', PIXEL_NUMBER],
  [2, 'Boundary Top Left', 'target', PIXEL_NUMBER],
  [3, 'Boundary Bottom Right', 'target', PIXEL_NUMBER],
  [4, 'Target Priority', 'target', count(1)],
  [5, 'Target Confidence Level', 'target', PERCENT],
  [6, 'Target History', 'target', count({ min: 1, max: 2 })],
  [7, 'Percentage of Target Pixels', 'target', PERCENT],
  [8, 'Target Color', 'target', count(3)],
  [9, 'Target Intensity', 'target', UP_TO_3],
  [10, 'Target Location Offset Latitude', 'target', OFFSET],
  [11, 'Target Location Offset Longitude', 'target', OFFSET],
  [12, 'Target Height Above Ellipsoid', 'target', HEIGHT],
  [13, 'Boundary Top Left Latitude Offset', 'target', OFFSET],
  [14, 'Boundary Top Left Longitude Offset', 'target', OFFSET],
  [15, 'Boundary Bottom Right Latitude Offset', 'target', OFFSET],
  [16, 'Boundary Bottom Right Longitude Offset', 'target', OFFSET],
  [17, 'Target Location', 'target', PACK],
  [18, 'Target Boundary Series', 'target', PACK],
  [19, 'Centroid Pixel Row', 'target', count({ min: 1, max: 4 }, 'px')],
  [20, 'Centroid Pixel Column', 'target', count({ min: 1, max: 4 }, 'px')],
  [21, 'FPA Index', 'target', PACK],
  [22, 'Algorithm ID', 'target', UP_TO_3],
  [101, 'VMask', 'target', SET],
  [102, 'VObject', 'target', SET],
  [103, 'VFeature', 'target', SET],
  [104, 'VTracker', 'target', SET],
  [105, 'VChip', 'target', SET],
  [106, 'VChip Series', 'target', PACK],
  [107, 'VObject Series', 'target', PACK],
];

/** ST 0903.5 section 9: items about the track of a target (VTarget tag 104). */
const trackerRows: readonly TagRow[] = [
  [1, 'Track ID', 'target', PACK],
  [
    2,
    'Detection Status',
    'target',
    enumeration(['Inactive', 'Active moving', 'Dropped', 'Stopped', 'Active coasting']),
  ],
  [3, 'Start Time', 'time', time(1)],
  [4, 'End Time', 'time', time(1)],
  [5, 'Boundary Series', 'target', PACK],
  [6, 'Algorithm', 'target', utf8()],
  [7, 'Confidence Level', 'target', PERCENT],
  [8, 'Number of Track Points', 'target', count({ min: 1, max: 2 })],
  [9, 'Track History Series', 'target', PACK],
  [10, 'Velocity', 'target', PACK],
  [11, 'Acceleration', 'target', PACK],
  [12, 'Algorithm ID', 'target', UP_TO_3],
];

const objectRows: readonly TagRow[] = [
  [1, 'Ontology', 'target', utf8(1000)],
  [2, 'Ontology Class', 'target', utf8(1000)],
  [3, 'Ontology ID', 'target', UP_TO_3],
  [4, 'Confidence', 'target', imapb({ bytes: 3, min: 0, max: 100, unit: '%', maxBytes: 8 })],
];

const featureRows: readonly TagRow[] = [
  [1, 'Schema', 'target', utf8(1000)],
  [2, 'Schema Feature', 'target', utf8(100_000)],
];

const chipRows: readonly TagRow[] = [
  [1, 'Image Type', 'target', utf8()],
  [2, 'Image URI', 'target', utf8(1000)],
  [3, 'Embedded Image', 'target', composite('bytes')],
];

const maskRows: readonly TagRow[] = [
  [1, 'Pixel Contour', 'target', PACK],
  [2, 'Bit Mask Series', 'target', PACK],
];

const algorithmRows: readonly TagRow[] = [
  [1, 'ID', 'identity', UP_TO_3],
  [2, 'Name', 'identity', utf8(1000)],
  [3, 'Version', 'identity', utf8(1000)],
  [4, 'Class', 'identity', utf8(1000)],
  [5, 'Number of Frames', 'identity', UP_TO_3],
];

const ontologyRows: readonly TagRow[] = [
  [1, 'ID', 'identity', UP_TO_3],
  [2, 'Parent ID', 'identity', UP_TO_3],
  [3, 'Ontology', 'identity', utf8(1000)],
  [4, 'Ontology Class', 'identity', utf8(1000)],
];

/** Items of the VMTI local set by tag. */
export const st0903Tags: ReadonlyMap<number, TagInfo> = tagTable(vmtiRows);
/** Items of a VTarget pack by tag. */
export const vTargetTags: ReadonlyMap<number, TagInfo> = tagTable(targetRows);
/** Items of a VTracker set by tag. */
export const vTrackerTags: ReadonlyMap<number, TagInfo> = tagTable(trackerRows);

export const vObjectTags: ReadonlyMap<number, TagInfo> = tagTable(objectRows);
export const vFeatureTags: ReadonlyMap<number, TagInfo> = tagTable(featureRows);
export const vChipTags: ReadonlyMap<number, TagInfo> = tagTable(chipRows);
export const vMaskTags: ReadonlyMap<number, TagInfo> = tagTable(maskRows);
export const algorithmTags: ReadonlyMap<number, TagInfo> = tagTable(algorithmRows);
export const ontologyTags: ReadonlyMap<number, TagInfo> = tagTable(ontologyRows);
