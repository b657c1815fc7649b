import { ANNOTATION_FEATURES_MAX } from '@osprey/contract';
import { formatNumber } from '../../base/format.ts';

/** Shapes of one annotation, as sentences say it. */
export const ANNOTATION_SHAPES = formatNumber(ANNOTATION_FEATURES_MAX);
