/** Where a price was read, and of which day it is. */
export type PriceSource = {
  readonly name: string;
  /** ISO 8601 date or month; null where the source bears none. */
  readonly asOf: string | null;
};

/** One price with its source. */
type Price = { readonly usd: number; readonly source: PriceSource };

/** Lambda's names of its processors. */
type LambdaArchitecture = 'x86_64' | 'arm64';

/** What AWS Lambda charges in one region, USD; null where no source states it: a guess is no price. */
export type LambdaPrices = {
  readonly region: string;
  readonly architecture: LambdaArchitecture;
  readonly perMillionRequests: Price | null;
  /** On-demand duration in the first and dearest tier. */
  readonly perGbSecond: Price | null;
  /** On-demand duration beyond the first tier, cheaper with each. */
  readonly tiers: readonly { readonly aboveGbSecondsPerMonth: number; readonly perGbSecond: Price }[];
  readonly provisionedPerGbSecond: Price | null;
  /** Duration of requests that provisioned concurrency takes. */
  readonly provisionedDurationPerGbSecond: Price | null;
  /** Ephemeral storage above the free 512 MB. */
  readonly ephemeralPerGbSecond: Price | null;
  /** SnapStart's snapshot of one published version, per GB of its memory and second. */
  readonly snapshotPerGbSecond: Price | null;
  /** SnapStart, per restore and GB of its memory. */
  readonly restorePerGb: Price | null;
  readonly streamedPerGb: Price | null;
};

/** A machine by the hour. */
export type HostPrice = { readonly host: string; readonly perHour: Price };

const priceList: PriceSource = { name: 'AWS Price List API, AWSLambda, us-east-1', asOf: '2025-10-01' };
const calculator: PriceSource = {
  name: 'https://calculator.aws/pricing/2.0/meteredUnitMaps/lambda/USD/current/lambda.json, ap-northeast-1',
  asOf: null,
};
const tokyoStudy: PriceSource = {
  name: 'study of cold starts on AWS Lambda, ap-northeast-1',
  asOf: '2025-01',
};
const servingStudy: PriceSource = { name: 'study of ResNet-152 on two hosts', asOf: null };

const of = (usd: number, source: PriceSource): Price => ({ usd, source });

/**
 * AWS Lambda's prices, two regions × two architectures.
 *
 * @see https://aws.amazon.com/lambda/pricing/ which shows them only to a browser; `aws pricing get-products
 *   --service-code AWSLambda` gives them to a program
 */
export const lambdaPrices: readonly LambdaPrices[] = [
  {
    region: 'us-east-1',
    architecture: 'x86_64',
    perMillionRequests: of(0.2, priceList),
    perGbSecond: of(0.0000166667, priceList),
    tiers: [
      { aboveGbSecondsPerMonth: 6e9, perGbSecond: of(0.000015, priceList) },
      { aboveGbSecondsPerMonth: 15e9, perGbSecond: of(0.0000133334, priceList) },
    ],
    provisionedPerGbSecond: of(0.0000041667, priceList),
    provisionedDurationPerGbSecond: of(0.0000097222, priceList),
    ephemeralPerGbSecond: of(0.0000000309, priceList),
    snapshotPerGbSecond: of(0.0000015046, priceList),
    restorePerGb: of(0.0001397998, priceList),
    streamedPerGb: of(0.008, priceList),
  },
  {
    region: 'us-east-1',
    architecture: 'arm64',
    perMillionRequests: of(0.2, priceList),
    perGbSecond: of(0.0000133334, priceList),
    tiers: [
      { aboveGbSecondsPerMonth: 7.5e9, perGbSecond: of(0.0000120001, priceList) },
      { aboveGbSecondsPerMonth: 18.75e9, perGbSecond: of(0.0000106667, priceList) },
    ],
    provisionedPerGbSecond: of(0.0000033334, priceList),
    provisionedDurationPerGbSecond: of(0.0000077778, priceList),
    ephemeralPerGbSecond: of(0.0000000309, priceList),
    snapshotPerGbSecond: null,
    restorePerGb: null,
    streamedPerGb: of(0.008, priceList),
  },
  {
    region: 'ap-northeast-1',
    architecture: 'x86_64',
    perMillionRequests: of(0.2, calculator),
    perGbSecond: of(0.0000166667, calculator),
    tiers: [],
    provisionedPerGbSecond: of(0.0000053835, calculator),
    provisionedDurationPerGbSecond: of(0.0000125615, calculator),
    ephemeralPerGbSecond: of(0.000000037, calculator),
    snapshotPerGbSecond: of(0.0000015046, tokyoStudy),
    restorePerGb: of(0.0001397998, tokyoStudy),
    streamedPerGb: null,
  },
  {
    region: 'ap-northeast-1',
    architecture: 'arm64',
    perMillionRequests: of(0.2, calculator),
    perGbSecond: of(0.0000133334, calculator),
    tiers: [],
    provisionedPerGbSecond: null,
    provisionedDurationPerGbSecond: null,
    ephemeralPerGbSecond: of(0.000000037, calculator),
    snapshotPerGbSecond: null,
    restorePerGb: null,
    streamedPerGb: null,
  },
];

/** What the hosts of the study of serving cost; they reproduce its cost per 100,000 inferences. */
export const hostPrices: readonly HostPrice[] = [
  { host: '2 vCPU', perHour: of(0.096, servingStudy) },
  { host: 'GPU', perHour: of(3.06, servingStudy) },
];
