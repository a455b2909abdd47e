/** What calls the service. Loaded with everything that it needs before anything is sent. */
export { connect } from "../control-plane/connect";
export { create } from "../deployment/create";
export { remove } from "../deployment/delete";
export { read } from "../deployment/read";
export { update } from "../deployment/update";
