/**
 * Tells whether a text names a version of a Lambda layer.
 *
 * @param text - Such as `arn:aws:lambda:eu-central-1:123456789012:layer:openvino:3`.
 * @returns True for the ARN of a layer with its version, which a function needs.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PublishLayerVersion.html
 */
export function isLayerArn(text: string): boolean {
  return /^arn:[a-zA-Z0-9-]+:lambda:[a-zA-Z0-9-]+:\d{12}:layer:[a-zA-Z0-9_-]+:\d+$/.test(text);
}
