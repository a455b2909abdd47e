"use strict";

try {
  require.resolve("@pulumi/pulumi/package.json");
} catch {
  process.stderr.write(
    "The provider deployment-service speaks to the engine through the Pulumi SDK for Node.js, which is not found from " +
      `${__dirname}: run \`npm install @pulumi/pulumi pulumi-deployment-service\` in the folder of the program\n`,
  );
  process.exit(1);
}

require("../dist/provider/plugin/main.js");
