import { defineProblems } from './define.ts'

export const CONFIG = defineProblems('config', {
  'api-key-missing': {
    severity: 'error',
    cause: 'No API key is set. Without it, the intake refuses every upload.',
    fix: 'Set SYMUP_API_KEY in the environment of the build.',
  },
  'api-key-visible': {
    severity: 'warning',
    cause:
      'The API key was passed with --api-key. Every user of the machine can see it in the process list (`ps`), and shells keep it in their history.',
    fix: 'Set SYMUP_API_KEY in the environment instead.',
  },
  'service-missing': {
    severity: 'error',
    cause:
      'No service name is set. Stacks are matched to files by service, so the name must match the name that the app reports.',
    fix: 'Set the service to the name that the running app reports.',
  },
  'version-missing': {
    severity: 'error',
    cause:
      'No release version is set. Stacks are matched to files by version, so the version must match the version that the app reports.',
    fix: "Set the version that the running app reports, or 'auto' to infer it.",
  },
  'plugin-misplaced': {
    severity: 'error',
    cause:
      'The symup plugin is in a plugin list for a single output or worker. The bundler does not notify these plugins when a build starts or ends.',
    fix: 'Move symup() to the `plugins` of the config. There it covers every output and worker.',
  },
  'address-taken': {
    severity: 'error',
    cause:
      'Two different scripts have the same deployed address, for example because two outputs contain files with the same name. Stack frames of one script would resolve to wrong lines, so nothing is uploaded and no source map is deleted.',
    fix: "Give the files different names, or return a prefix for each output: minifiedPathPrefix: (file, { directory }) => '/app/' + directory.",
  },
  'prefix-missing': {
    severity: 'error',
    cause: 'The minified path prefix is not set and could not be inferred, so the URL that browsers report is unknown.',
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
      'A glob of `include` or `exclude` matches no file, because it starts with the output directory or is the name of a directory. Globs are relative to the output directory.',
    fix: 'Drop the output directory and match files: `vendor/**`, not `dist/vendor/**` or `vendor`.',
  },
  'command-invalid': {
    severity: 'error',
    cause: 'The command line contains an unknown command or flag, or a required argument is missing.',
    fix: 'Run symup <command> --help for the arguments and flags, and correct the command line.',
  },
  'app-key-missing': {
    severity: 'error',
    cause: 'An app key is required to resolve a stack through an intake, but no key is set.',
    fix: 'Set SYMUP_APP_KEY, or pass --app-key.',
  },
  'symbols-unlocated': {
    severity: 'error',
    cause: 'The command does not specify where the symbol files are, so the stack cannot be resolved.',
    fix: 'Pass an intake (--intake <url>), the build directory (--dir <dir>) or a mapping file (--mapping <mapping.txt>).',
  },
  'event-invalid': {
    severity: 'error',
    cause: 'The text looks like JSON but is not valid, and it contains no stack frame.',
    fix: 'Save the complete event again, or pass only the stack as plain text.',
  },
  'option-unknown': {
    severity: 'error',
    cause: 'An option does not exist, so it would have no effect.',
    fix: 'Correct the spelling or remove the option.',
  },
  'value-invalid': {
    severity: 'error',
    cause:
      'A setting has an invalid value: it has the wrong type, is not one of the allowed values, is empty, or contains characters that are not allowed.',
    fix: 'Correct the value where it is set.',
  },
  'endpoint-invalid': {
    severity: 'error',
    cause:
      'The intake address is not a plain http or https URL: it has a query, a fragment or a user name, or it is not a URL at all.',
    fix: 'Use an address such as https://intake.example.com. symup appends /sourcemap/upload.',
  },
  'endpoint-wrong': {
    severity: 'error',
    cause: 'Something answered at the endpoint, but it is not an intake for symbol files (404, 405 or a redirect).',
    fix: 'Correct the endpoint. To use the hosted platform, remove the endpoint and set the site.',
  },
  'site-unknown': {
    severity: 'error',
    cause: 'The site is unknown.',
    fix: 'Use CN or STAGING, or set an endpoint instead.',
  },
  'config-file-invalid': {
    severity: 'error',
    cause: 'The project config file cannot be read as a JSON object.',
    fix: 'Correct the file, or remove it.',
  },
  'config-file-untrusted': {
    severity: 'error',
    cause:
      'A config file above the project directory belongs to another user, is writable by all users, or sets the destination for a key from another source.',
    fix: 'Move symup.json to the project directory, or make sure that only you own the file and can write to it.',
  },
  'config-field-unknown': {
    severity: 'warning',
    cause: 'The project config file contains an unknown field, which has no effect.',
    fix: 'Correct the spelling or remove the field.',
  },
  'environment-conflict': {
    severity: 'warning',
    cause: 'Two environment variables set different values for the same setting. One of them is ignored.',
    fix: 'Unset the wrong one.',
  },
  'inference-failed': {
    severity: 'error',
    cause: "A value is set to 'auto', but symup cannot infer it from the project.",
    fix: 'Set the value explicitly.',
  },
  'directory-unreadable': {
    severity: 'error',
    cause: 'The directory to upload does not exist, is not a directory, or cannot be read.',
    fix: 'Pass the directory that the build writes to, and run the command after the build.',
  },
  'variant-missing': {
    severity: 'error',
    cause: 'symup cannot tell which build variant the files belong to.',
    fix: 'Pass the variant: --variant freeRelease.',
  },
  'arkts-maps-differ': {
    severity: 'error',
    cause:
      'Several products or targets of a HarmonyOS project have different maps for the same files. A stack does not show which product or target it is from, so it may resolve to wrong lines.',
    fix: 'Select one with --product <name> or --target <name>. Upload each product with the service and version that its app reports.',
  },
  'variant-unknown': {
    severity: 'warning',
    cause: 'symup cannot find a variant with that name in the build script without running Gradle.',
    fix: 'Correct the name, or pass --service, --release-version and --version-code explicitly.',
  },
  'version-code-missing': {
    severity: 'warning',
    cause: 'The versionCode of the build is unknown, so its stacks are matched by version and variant alone.',
    fix: 'Pass the version code: --version-code 42.',
  },
  'gradle-unreadable': {
    severity: 'warning',
    cause: 'The build script does not exist or cannot be parsed, so no values are read from it.',
    fix: 'Pass --service, --release-version, --version-code and --variant explicitly, or use the Gradle tasks of @symup/android.',
  },
  'gradle-expression': {
    severity: 'warning',
    cause: 'A value in the build script is an expression. Without running Gradle, symup can read only literals.',
    fix: 'Pass the value explicitly (--service, --release-version, --version-code), or use the Gradle tasks of @symup/android.',
  },
  'sourcemaps-off': {
    severity: 'warning',
    cause: 'Source maps are turned off in the bundler, so there is nothing to upload.',
    fix: "Set the bundler's source map option to 'hidden'.",
  },
  'build-kind-unknown': {
    severity: 'warning',
    cause: 'The plugin cannot tell whether this is a release build or a watch build, so it uploads nothing.',
    fix: 'Put symup first in the list of plugins.',
  },
  'bundler-too-old': {
    severity: 'error',
    cause: 'The plugin does not support this old version of the bundler.',
    fix: 'Update the bundler, or upload with the command after the build: npx symup web upload <directory>.',
  },
  'debug-ids-unsupported': {
    severity: 'warning',
    cause: 'Debug ids are turned on, but plugins of this bundler cannot write them.',
    fix: 'Remove debugIds. Stacks are matched by service, version and path instead.',
  },
  'release-not-injected': {
    severity: 'warning',
    cause: '`injectRelease` is set, but this build wrote no HTML page that the plugin can change.',
    fix: 'Write the release where your pages are rendered (see docs/recipes/release.md), and remove injectRelease.',
  },
  'git-incomplete': {
    severity: 'info',
    cause:
      'Some information about the commit is missing: git, a repository or a remote was not found, and no CI variables provide the information.',
    fix: 'Build in a git checkout that has a remote on a server, or turn this off (option `git: false`, --disable-git).',
  },
  'proxy-or-ca-unusable': {
    severity: 'error',
    cause: 'The proxy address is not an http or https URL, or the file with certificate authorities cannot be read.',
    fix: 'Correct `--proxy`, SYMUP_PROXY or HTTPS_PROXY, or `--ca`, SYMUP_CA or NODE_EXTRA_CA_CERTS.',
  },
  'clock-skew': {
    severity: 'warning',
    cause:
      'The clock of this machine differs from the clock of the intake by more than a minute. Certificate checks may fail, and times in reports are wrong.',
    fix: "Synchronize the machine's clock with a time server.",
  },
  'ledger-unusable': {
    severity: 'warning',
    cause: 'The ledger, the file that records uploads, could not be read or written. The upload continued without it.',
    fix: 'Set a writable path, or turn the ledger off.',
  },
  'system-refusal': {
    severity: 'error',
    cause:
      'A file could not be written: the disk is full or read-only, or the directory for temporary files does not exist.',
    fix: 'Free some disk space, or set TMPDIR (TEMP on Windows) to another directory.',
  },
})
