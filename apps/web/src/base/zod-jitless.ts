import { z } from 'zod';

// zod probes `new Function` on first use, which the page's Content-Security-Policy reports on every load.
z.config({ jitless: true });
