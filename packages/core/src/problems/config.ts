import { defineProblems } from './define.ts'

export const CONFIG = defineProblems('config', {
  'api-key-missing': {
    severity: 'error',
    cause: 'No API key is set, so the intake would refuse every upload.',
    fix: 'Set SYMUP_API_KEY in the environment of the build.',
  },
  'api-key-visible': {
    severity: 'warning',
    cause:
      'The API key was passed with --api-key. Every user of the machine can see the key in the process list (`ps`), and shells may store it in their history.',
    fix: 'Set SYMUP_API_KEY in the environment instead of passing the key on the command line.',
  },
  'service-missing': {
    severity: 'error',
    cause:
      'No service name is set. Stacks are matched to files by service, so the name must match the name that the app reports.',
    fix: 'Set the service name to the name that the running app reports.',
  },
  'version-missing': {
    severity: 'error',
    cause:
      'No release version is set. Stacks are matched to files by version, so the version must match the version that the app reports.',
    fix: "Set the version that the running app reports, or set 'auto' to infer the version.",
  },
  'plugin-misplaced': {
    severity: 'error',
    cause:
      'The symup plugin is in a plugin list for a single output or worker. The bundler does not notify plugins in these lists when a build starts or ends.',
    fix: 'Move symup() to the top-level `plugins` list in the config, where it covers every output and worker.',
  },
  'address-taken': {
    severity: 'error',
    cause:
      'Two different scripts would be deployed to the same address, for example because two outputs contain files with the same name. Stack frames from one of the scripts would resolve to wrong lines, so nothing is uploaded and no source map is deleted.',
    fix: "Give the files different names, or return a different prefix for each output: minifiedPathPrefix: (file, { directory }) => '/app/' + directory.",
  },
  'prefix-missing': {
    severity: 'error',
    cause:
      'The minified path prefix is not set and could not be inferred, so the URL that browsers will report is unknown.',
    fix: 'Set the prefix to the URL or absolute path where the output directory is deployed.',
  },
  'prefix-invalid': {
    severity: 'error',
    cause: 'The minified path prefix is neither a URL nor an absolute path.',
    fix: 'Use a URL such as https://cdn.example.com/app, a path that starts with a slash, such as /app, or app:/// for an installed app.',
  },
  'glob-misplaced': {
    severity: 'warning',
    cause:
      'A glob in `include` or `exclude` does not match any files because it starts with the output directory or is the name of a directory. Globs are relative to the output directory.',
    fix: 'Remove the output directory from the glob, and match files instead of directories. For example, use `vendor/**` instead of `dist/vendor/**` or `vendor`.',
  },
  'command-invalid': {
    severity: 'error',
    cause: 'The command line contains an unknown command or flag, or a required argument is missing.',
    fix: 'Run symup <command> --help to list the arguments and flags, and correct the command line.',
  },
  'app-key-missing': {
    severity: 'error',
    cause: 'An app key is required to resolve a stack through an intake, but no key is set.',
    fix: 'Set SYMUP_APP_KEY, or pass --app-key.',
  },
  'symbols-unlocated': {
    severity: 'error',
    cause: 'The command does not specify the location of the symbol files, so the stack cannot be resolved.',
    fix: 'Pass an intake (--intake <url>), the build directory (--dir <dir>) or a mapping file (--mapping <mapping.txt>).',
  },
  'event-invalid': {
    severity: 'error',
    cause: 'The input looks like JSON, but it is not valid JSON and contains no stack frames.',
    fix: 'Save the complete event again, or pass only the stack as plain text.',
  },
  'option-unknown': {
    severity: 'error',
    cause: 'An unknown option was passed.',
    fix: 'Correct the spelling or remove the option.',
  },
  'value-invalid': {
    severity: 'error',
    cause:
      'A setting has an invalid value. The value has the wrong type, is not one of the allowed values, is empty, or contains invalid characters.',
    fix: 'Correct the value of the setting.',
  },
  'endpoint-invalid': {
    severity: 'error',
    cause: 'The intake address must be an http or https URL without a query string, a fragment or a user name.',
    fix: 'Use an address such as https://intake.example.com. symup appends /sourcemap/upload.',
  },
  'endpoint-wrong': {
    severity: 'error',
    cause: 'The endpoint responded (404, 405 or a redirect), but it is not an intake for symbol files.',
    fix: 'Correct the endpoint. To use the hosted platform instead, remove the endpoint and set the site.',
  },
  'site-unknown': {
    severity: 'error',
    cause: 'The specified site does not exist.',
    fix: 'Set the site to CN or STAGING, or set an endpoint instead.',
  },
  'config-file-invalid': {
    severity: 'error',
    cause: 'The project config file does not contain a valid JSON object.',
    fix: 'Correct the JSON in the project config file, or remove the file.',
  },
  'config-file-untrusted': {
    severity: 'error',
    cause:
      'A config file above the project directory belongs to another user, is writable by all users, or would determine where an API key from another source is sent.',
    fix: 'Move symup.json to the project directory, or make sure that you own the file and that no other user can write to it.',
  },
  'config-field-unknown': {
    severity: 'warning',
    cause: 'The project config file contains an unknown field, which symup ignores.',
    fix: 'Correct the spelling or remove the field.',
  },
  'environment-conflict': {
    severity: 'warning',
    cause: 'Two environment variables set different values for the same setting, so symup ignores one of them.',
    fix: 'Unset the environment variable with the wrong value.',
  },
  'inference-failed': {
    severity: 'error',
    cause: "A value is set to 'auto', but symup cannot infer it from the project.",
    fix: "Replace 'auto' with an explicit value.",
  },
  'directory-unreadable': {
    severity: 'error',
    cause: 'The directory to upload does not exist, is not a directory, or cannot be read.',
    fix: 'Pass the directory that the build writes to, and run the command after the build.',
  },
  'variant-missing': {
    severity: 'error',
    cause: 'symup cannot determine which build variant the files belong to.',
    fix: 'Specify the build variant, for example --variant freeRelease.',
  },
  'arkts-maps-differ': {
    severity: 'error',
    cause:
      'Several products or targets in a HarmonyOS project have different source maps for the same files. A stack does not contain its product or target, so it may resolve to wrong lines.',
    fix: 'Select a product or target with --product <name> or --target <name>. Upload each product with the service and version that its app reports.',
  },
  'variant-unknown': {
    severity: 'warning',
    cause:
      'symup found no variant with the specified name in the build script. symup reads the script without running Gradle.',
    fix: 'Correct the name of the variant, or pass --service, --release-version and --version-code explicitly.',
  },
  'version-code-missing': {
    severity: 'warning',
    cause: 'The versionCode of the build is unknown, so stacks are matched only by version and variant.',
    fix: 'Pass the version code with --version-code <number>.',
  },
  'gradle-unreadable': {
    severity: 'warning',
    cause: 'The build script does not exist or cannot be parsed, so no values are read from it.',
    fix: 'Pass --service, --release-version, --version-code and --variant explicitly, or use the Gradle tasks from @symup/android.',
  },
  'gradle-expression': {
    severity: 'warning',
    cause: 'A value in the build script is an expression. symup does not run Gradle, so it can read only literals.',
    fix: 'Pass the value explicitly (--service, --release-version, --version-code), or use the Gradle tasks from @symup/android.',
  },
  'sourcemaps-off': {
    severity: 'warning',
    cause: 'Source maps are turned off in the bundler, so there is nothing to upload.',
    fix: "Set the source map option of the bundler to 'hidden'.",
  },
  'build-kind-unknown': {
    severity: 'warning',
    cause: 'The plugin cannot determine whether the build is a release build or a watch build, so it uploads nothing.',
    fix: 'Put symup first in the list of plugins.',
  },
  'bundler-too-old': {
    severity: 'error',
    cause: 'The plugin does not support this old version of the bundler.',
    fix: 'Update the bundler, or run this command after the build: npx symup web upload <directory>.',
  },
  'debug-ids-unsupported': {
    severity: 'warning',
    cause: 'Debug ids are turned on, but the symup plugin for this bundler cannot write them.',
    fix: 'Remove debugIds. Without debug ids, stacks are matched to files by service, version and path.',
  },
  'release-not-injected': {
    severity: 'warning',
    cause: '`injectRelease` is set, but the build did not write an HTML page that the plugin can change.',
    fix: 'Add the release to your HTML pages when you render them (see docs/recipes/release.md), and remove injectRelease.',
  },
  'git-incomplete': {
    severity: 'info',
    cause:
      'Some information about the commit is missing because Git, a repository or a remote was not found, and no CI variables contain the information.',
    fix: 'Build in a Git checkout that has a remote URL, or turn off Git information (`git: false` or --disable-git).',
  },
  'proxy-or-ca-unusable': {
    severity: 'error',
    cause: 'The proxy address is not an http or https URL, or the file with certificate authorities cannot be read.',
    fix: 'Correct the value of `--proxy`, SYMUP_PROXY, HTTPS_PROXY, `--ca`, SYMUP_CA or NODE_EXTRA_CA_CERTS.',
  },
  'clock-skew': {
    severity: 'warning',
    cause:
      "This machine's clock differs from the intake's clock by more than a minute. Certificate checks may fail, and times in reports may be wrong.",
    fix: 'Synchronize the clock on this machine with a time server.',
  },
  'ledger-unusable': {
    severity: 'warning',
    cause:
      'The ledger (the file that records uploads) could not be read or written. The upload continued without the ledger.',
    fix: 'Set the ledger to a file that symup can write to (--ledger <file>), or turn the ledger off (--no-ledger).',
  },
  'system-refusal': {
    severity: 'error',
    cause:
      'A file could not be written because the disk is full or read-only, or because the directory for temporary files does not exist.',
    fix: 'Free some disk space, or set TMPDIR (TEMP on Windows) to another directory.',
  },
})
