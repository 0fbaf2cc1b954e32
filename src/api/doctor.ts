/** What this machine offers. */
export { examineMachine } from '../examine-machine.js';
export { renderDoctorText } from '../report/text/doctor-text.js';
