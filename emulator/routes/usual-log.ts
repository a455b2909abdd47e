/** What a revision writes whose build or start fails, where no script says otherwise. */
export const usualLog: Readonly<Record<"build" | "deploy", readonly string[]>> = {
  build: [
    "Cloning into '/workspace'...",
    "#5 [internal] load build definition from Dockerfile",
    "#8 [2/6] RUN pip install -r requirements.txt",
    "#8 2.114 Collecting fastapi==0.115.99",
    "#8 2.671 ERROR: Could not find a version that satisfies the requirement fastapi==0.115.99 (from versions: 0.115.0, 0.115.6)",
    "#8 2.673 \u001b[31mERROR: No matching distribution found for fastapi==0.115.99\u001b[0m",
    '#8 ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1',
    "error: failed to solve: exit code: 1",
  ],
  deploy: [
    "Pulling image",
    "Starting server on port 8000",
    "Traceback (most recent call last):",
    '  File "/deps/app/main.py", line 3, in <module>',
    '    DATABASE = os.environ["DATABASE_URL"]',
    "KeyError: 'DATABASE_URL'",
    "Back-off restarting failed container",
  ],
};
