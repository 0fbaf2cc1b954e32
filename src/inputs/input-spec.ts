/** How the elements of an input are made; `normal` is mean 0, deviation 1, and for real numbers only. */
type Fill = 'normal' | 'uniform' | 'zeros' | 'ones' | 'constant';

/** What is asked for one model input; everything left out has a stated default. */
export type InputSpec = {
  /** Sizes, all axes; needed when an axis other than the first is symbolic. */
  readonly shape?: readonly number[] | undefined;
  /** Default `normal`, for integers and bool `uniform`. */
  readonly fill?: Fill | undefined;
  /** Default 0; each input draws from a stream of its own. */
  readonly seed?: number | undefined;
  /** Every element, with `fill: constant`. */
  readonly value?: number | undefined;
  /** Lowest element with `fill: uniform`, default 0. */
  readonly min?: number | undefined;
  /** Bound above with `fill: uniform`, default 1: excluded for real numbers, included for integers. */
  readonly max?: number | undefined;
  /** A `.npy` or `.pb` file with the elements instead. */
  readonly file?: string | undefined;
};
