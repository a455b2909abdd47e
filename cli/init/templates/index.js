const { fromManifest } = require("pulumi-deployment-service");

const deployments = fromManifest("deployments.yaml");

// The addresses of the deployments, as an output of the stack.
exports.urls = Object.fromEntries(Object.entries(deployments).map(([key, { url }]) => [key, url]));
