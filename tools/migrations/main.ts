import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { INDEX_FILE, requestedIndex } from './index-text.ts';

const root = resolve(import.meta.dirname, '../..');
writeFileSync(join(root, INDEX_FILE), requestedIndex(root));
