"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");

const oldest = "20.18.1";

if (!isAtLeast(process.versions.node, oldest)) {
  end(
    `needs Node.js ${oldest} or newer, and the one on the PATH is ${process.versions.node}: https://nodejs.org`,
  );
}
const main = join(__dirname, "../dist/provider/plugin/main.js");
if (!existsSync(main)) {
  end(
    `is not built: ${main} is missing. In a clone of its repository, run \`npm install && npm run build\` there; ` +
      "anywhere else, install the package anew",
  );
}
try {
  require.resolve("@pulumi/pulumi/package.json");
} catch {
  end(
    `speaks to the engine through the Pulumi SDK for Node.js, which is not found from ${__dirname}: ` +
      "run `npm install @pulumi/pulumi pulumi-deployment-service` in the folder of the program",
  );
}

require(main);

function end(reason) {
  process.stderr.write(`The provider deployment-service ${reason}\n`);
  process.exit(1);
}

function isAtLeast(version, wanted) {
  return version.localeCompare(wanted, "en", { numeric: true }) >= 0;
}
