export {
  type CacheMode,
  type CacheState,
  cacheModes,
  cacheStates,
  cacheTitles,
} from '../../lib/cache-state.js';
