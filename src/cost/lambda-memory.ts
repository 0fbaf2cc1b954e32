/** Lambda's GB of memory, as it is configured and billed. @see https://aws.amazon.com/lambda/pricing/ */
const mibPerGb = 1024;

/**
 * Converts the memory of a function into what prices are per.
 *
 * @param memoryMiB - As it is configured, MiB.
 * @returns GB as they are billed.
 */
export function countBilledGb(memoryMiB: number): number {
  return memoryMiB / mibPerGb;
}
