const { fromManifest } = require("pulumi-deployment-service");

// The output: the URL of each deployment.
const deployments = Object.entries(fromManifest("deployments.yaml"));
exports.urls = Object.fromEntries(deployments.map(([key, { url }]) => [key, url]));
