// Finds words that the project does not use in names, comments, messages and guides (docs/development.md, "Language").
// Usage: node scripts/words.js [path ...]

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** Words without a clear referent: name the caller, message, recipient, process or row. */
const vagueWords =
  /\b(?:whoever|whomever|whatever|whichever|nobody|somebody|anybody|everybody|no one|those who|those that|what is|who is|meanwhile|seldom|hardly|all the same)\b/gi

/** Prefixes of constants: the project uses max, min and default. */
const vaguePrefixes = /\b(?:most|longest|least|deepest|largest|fewest|shortest|highest|lowest)[A-Z]\w*/g

/** Names that were replaced by the field's terms. */
const formerNames =
  /\w*(?:Door|Stumbled|PlanRoom|SendMemory|AnswerCandidates|CallerPatience|Wishes|WayIn|Unjudged|EndingWhole|Strangers|Housekeeping|Chore)\b/g

/** Lines that quote others, or name data: the file's path and a part of the line. */
const quotations = JSON.parse(readFileSync(new URL("words.json", import.meta.url), "utf8"))

const ignored = /(?:package-lock\.json|openapi\.json|scripts\/words\.js(?:on)?)$/

const files = execFileSync("git", ["ls-files", "-z", "--", ...process.argv.slice(2)], { encoding: "utf8" })
  .split("\0")
  .filter((file) => /\.(?:ts|tsx|js|json|md|sql|yaml|yml|html|css|sh)$/.test(file) && !ignored.test(file))

let found = 0
for (const file of files) {
  const allowed = quotations.filter(([path]) => path === file).map(([, part]) => part)
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (allowed.some((part) => line.includes(part))) continue
    const words = [vagueWords, vaguePrefixes, formerNames].flatMap((pattern) => line.match(pattern) ?? [])
    if (words.length === 0) continue
    found += 1
    process.stdout.write(`${file}:${index + 1}: ${words.join(", ")}\n`)
  }
}
if (found > 0) {
  process.stderr.write(`${found} lines; write them in the project's words, or list a quotation in scripts/words.json\n`)
  process.exitCode = 1
}
