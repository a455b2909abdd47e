@echo off
where node >nul 2>nul
if errorlevel 1 (
  echo The provider deployment-service needs Node.js 20.18.1 or newer on the PATH: https://nodejs.org 1>&2
  exit /b 1
)
node "%~dp0index.js" %*
