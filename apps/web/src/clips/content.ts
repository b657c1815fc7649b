import { mdiMovieOpenOutline } from '@mdi/js';
import type { CaseContent } from '../cases/content.ts';

export const clipContent: CaseContent = { kind: 'clip', name: 'Clip', icon: mdiMovieOpenOutline };
