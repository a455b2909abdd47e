/** What calls the service. Loaded with everything that it needs before anything is sent. */
export { connect } from "../control-plane/connect";
export { remove } from "../deployment/delete";
export { create, read, update } from "../deployment/lifecycle";
