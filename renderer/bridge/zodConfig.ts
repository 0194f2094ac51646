import { z } from 'zod';

/** Must be imported before any schema is built: zod would otherwise probe `new Function`, which our CSP reports. */
z.config({ jitless: true });
