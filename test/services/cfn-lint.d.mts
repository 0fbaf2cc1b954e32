/** cfn-lint: judges CloudFormation and SAM templates by AWS's own resource schemas. */
export const cfnLint: {
  readonly name: string;
  readonly find: () => Promise<string | undefined>;
  readonly install: () => Promise<string>;
  readonly whyNot: () => Promise<string | undefined>;
  /** What is wrong, one line each: rule, line and words. */
  readonly lint: (template: string) => Promise<readonly string[]>;
};
