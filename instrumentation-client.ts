import * as z from 'zod';

// Before any schema is made: zod would try whether it may make functions from text, which the pages' policy forbids and
// browsers report.
z.config({ jitless: true });
