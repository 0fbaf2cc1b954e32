/** What an artifact may be called by. */
export type ArtifactNames = {
  /** A variant's id; the file or folder name of what is no artifact. */
  readonly variantId: string;
  /** As it was given. */
  readonly path: string;
};

/**
 * Gives each artifact a name of its own, so that none hides behind another of the same variant or file name.
 *
 * @param artifacts - What is checked, each path once.
 * @returns Each with its subject: the variant id, or the path where another artifact has that id or path too.
 */
export function nameArtifacts<Named extends ArtifactNames>(
  artifacts: readonly Named[],
): readonly (Named & { readonly subject: string })[] {
  return artifacts.map((artifact) => {
    const { variantId, path } = artifact;
    const isShared = artifacts.some(
      (other) => other !== artifact && (other.variantId === variantId || other.path === variantId),
    );
    return { ...artifact, subject: isShared ? path : variantId };
  });
}
