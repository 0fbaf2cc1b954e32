export { findExclusions } from './find-exclusions.js';
