// A process that judges cases for run-cases.mjs: a crash of onnxruntime ends one case, not the run.
import { judgeCase } from './judge-case.mjs';

process.on('message', async ({ subject, command }) => {
  try {
    process.send({ judgements: await judgeCase(subject, command) });
  } catch (error) {
    process.send({ failed: error.message });
  }
});
process.on('disconnect', () => process.exit());
