export {
  type CacheMode,
  type CacheState,
  cacheStates,
  cacheTitles,
} from '../../lib/cache-state.js';
