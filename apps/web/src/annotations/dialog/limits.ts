import { ANNOTATION_FEATURES_MAX } from '@osprey/contract';
import { formatNumber } from '../../base/format.ts';

/** Maximum number of shapes in one annotation, formatted for sentences. */
export const ANNOTATION_SHAPES = formatNumber(ANNOTATION_FEATURES_MAX);
