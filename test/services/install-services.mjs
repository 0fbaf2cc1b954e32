// Run by `npm run services:install`: installs what the tests speak to; what is there already is left as it is.
import { cfnLint } from './cfn-lint.mjs';
import { lambdaRie } from './lambda-rie.mjs';
import { openvino } from './openvino.mjs';
import { s3fs } from './s3fs.mjs';
import { versitygw } from './versitygw.mjs';

for (const service of [versitygw, s3fs, lambdaRie, cfnLint, openvino]) {
  console.log(`${service.name}: ${await service.install()}`);
}
