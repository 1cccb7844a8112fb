// Runs each test file that failed once more, alone. Exits with 0 if all of them pass then, and lists their first failures.
// Usage: node scripts/rerun.js <results of vitest's json reporter> <vitest project> <file for the list>

import { spawnSync } from "node:child_process"
import { appendFileSync, readFileSync } from "node:fs"
import { relative } from "node:path"

const [results, project, list] = process.argv.slice(2)

const failed = JSON.parse(readFileSync(results, "utf8")).testResults.filter(({ status }) => status === "failed")
if (failed.length === 0) {
  process.stderr.write("The run failed outside of the test files: nothing is repeated\n")
  process.exit(1)
}

/** The titles of a file that failed, each with its failure; the failure of the file if it has no failed test. */
const failuresOf = ({ assertionResults, message }) => {
  const tests = assertionResults.filter(({ status }) => status === "failed")
  return tests.length === 0
    ? [["(set-up of the file)", message]]
    : tests.map(({ ancestorTitles, failureMessages, title }) => [
        [...ancestorTitles, title].join(" > "),
        failureMessages.join("\n")
      ])
}

for (const file of failed) {
  const path = relative(process.cwd(), file.name)
  process.stdout.write(`\nRepeating ${path} alone\n`)
  const { status } = spawnSync("npx", ["vitest", "run", "--project", project, path], { stdio: "inherit" })
  if (status !== 0) process.exit(1)
  for (const [title, failure] of failuresOf(file)) appendFileSync(list, `Unstable: ${path} > ${title}\n${failure}\n`)
}
