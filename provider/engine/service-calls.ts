/** The code that calls the service. It is loaded completely before anything is sent. */
export { connect } from "../control-plane/connect";
export { create } from "../deployment/create";
export { remove } from "../deployment/delete";
export { read } from "../deployment/read";
export { update } from "../deployment/update";
