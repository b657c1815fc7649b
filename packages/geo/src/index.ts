export { splitAtAntimeridian, splitLineAtAntimeridian } from './antimeridian.ts';
export { approximateGroundOf } from './approximate-ground.ts';
export { polygonAreaSqKm } from './area.ts';
export {
  type Attitude,
  cameraToLocal,
  type FieldOfView,
  type Projector,
  projector,
  rotation,
} from './camera.ts';
export { type Coverage, type CoverageOptions, type CoveredArea, createCoverage } from './coverage.ts';
export {
  cellOfNumber,
  cellsOf,
  cellsOfAll,
  entriesOf,
  fewerCells,
  type GridCell,
  probesOf,
  ringOfCell,
} from './coverage-cells.ts';
export {
  type CoveredSecond,
  countsAt,
  coveredSeconds,
  coveredSecondsIn,
  HOLD_SECONDS,
  isHeldAt,
  type PackedSecond,
  packSightings,
  rounded,
  type Sighting,
  secondsWhere,
  unpackSightings,
} from './coverage-chunk.ts';
export {
  addCoverageMinute,
  type CoverageArea,
  coverageArea,
  coverageAreaLevel,
  coverageCellOf,
  createCoverageHours,
  packCoverage,
  readCoverageRuns,
  readLastCovered,
  SEEN_HOUR_S,
  SEEN_LEVELS,
} from './coverage-hours.ts';
export { meets, type Shape, shapeOf, viewOf } from './coverage-meets.ts';
export type { MultiPolygon } from './coverage-outline.ts';
export {
  circlePart,
  corridorParts,
  type StraightShape,
  straightParts,
  type Target,
  type TargetPart,
  targetOf,
} from './coverage-target.ts';
export { type UnitsTest, unitsTest } from './coverage-units.ts';
export { type Area, areaPieces } from './cut-area.ts';
export { formatDms, formatLat, formatLon } from './dms.ts';
export { fromEcef, meetGround, northEastDown, toEcef } from './ellipsoid.ts';
export { type Extent, extentOf } from './extent.ts';
export { type Corners, centreOf, type Footprint, footprintOf, type TagValues } from './footprint.ts';
export { bearingDeg, destination, distanceM, MEAN_RADIUS_M } from './great-circle.ts';
export { type Homography, homography } from './homography.ts';
export { formatMgrs, parseMgrs } from './mgrs.ts';
export { areApart, isInside, outlineFault } from './outline.ts';
export { parsePlace } from './parse-place.ts';
export {
  normalise,
  type Point,
  type Point3,
  type Position,
  ringOf,
  toPosition,
  wrapBearing,
  wrapLon,
} from './point.ts';
export { type Quadrangle, quadrangle } from './quadrangle.ts';
export { simplifyLine } from './simplify.ts';
export { drawnEdges } from './straight-edges.ts';
export { apply, cross, dot, type Matrix, multiply, transpose, unit, type Vector } from './vector.ts';
export { type ClosestApproach, type Encounter, encounterOf, type Mover } from './vessel/encounter.ts';
export { type HullSizes, hullOf } from './vessel/hull.ts';
export {
  type FrameView,
  type InPicture,
  meetsFootprint,
  type Vessel,
  type VesselInFrame,
  vesselsInFrame,
} from './vessel/in-frame.ts';
export { createMatching } from './vessel/matching.ts';
export { REPORT_AGE_MAX_S, stateAt, type VesselReport, type VesselState } from './vessel/motion.ts';
export { pointingSpread } from './vessel/pointing.ts';
export { ellipseOf, type Spread } from './vessel/spread.ts';
export { fourCornered, VISIBLE_RANGE_M, type VisibleGround, visibleGroundOf } from './visible-ground.ts';
export { ringSpanDeg, ringsAsDrawn, withNarrowEdges } from './wide-area.ts';
