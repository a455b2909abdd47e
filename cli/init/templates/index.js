const { fromManifest } = require("pulumi-deployment-service");

const deployments = fromManifest("deployments.yaml");

// The output of the stack.
exports.url = deployments["{{key}}"]?.url;
