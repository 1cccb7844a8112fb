import { readFileSync } from "node:fs"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"

/** A code block of a guide that is run: commands (`sh`), a program (`ts`), or a file that commands use (`js`). */
export interface Step {
  readonly language: "sh" | "ts" | "js"
  readonly code: string
  /** The line of the guide at which the block begins. */
  readonly line: number
  /** The block below it with the output that the reader sees: a JSON value, or lines of text. */
  readonly shown?: { readonly language: "json" | "output"; readonly text: string }
}

const fences = /^```(\w*)\n([\s\S]*?)^```$/gm

/** The steps of a guide in order. Blocks in other languages, such as `text`, are not run. */
export const stepsOf = (file: string): ReadonlyArray<Step> => {
  const guide = readFileSync(repositoryFile(file), "utf8")
  const steps: Array<Step> = []
  for (const { 1: language = "", 2: code = "", index } of guide.matchAll(fences)) {
    const line = guide.slice(0, index).split("\n").length
    if (language === "sh" || language === "ts" || language === "js") steps.push({ language, code, line })
    if (language !== "json" && language !== "output") continue
    const step = steps.pop()
    if (step === undefined || step.shown !== undefined) throw new Error(`${file}:${line} shows the output of no block`)
    steps.push({ ...step, shown: { language, text: code } })
  }
  return steps
}

/** The files that a guide links to, relative to the root of the repository. */
export const linksOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(repositoryFile(file), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) =>
    new URL(link, `file:///${file}`).pathname.slice(1)
  )

/** A table of a guide; a pipe in a cell is written `\\|`. */
export interface GuideTable {
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** The tables of a guide in order. */
export const tablesOf = (file: string): ReadonlyArray<GuideTable> =>
  [...readFileSync(repositoryFile(file), "utf8").matchAll(/^(?:\|.*\n)+/gm)].map(([table]) => {
    const [header = [], , ...rows] = table
      .trimEnd()
      .split("\n")
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim())
      )
    return { header, rows }
  })
