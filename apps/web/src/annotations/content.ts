import { mdiVectorPolygon } from '@mdi/js';
import type { CaseContent } from '../cases/content.ts';

export const annotationContent: CaseContent = { kind: 'annotation', name: 'Annotation', icon: mdiVectorPolygon };
