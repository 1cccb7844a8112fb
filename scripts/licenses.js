// The licenses of the packages in a bundle, which their licenses require with each copy.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder of the installed package that a file belongs to. */
const folderOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]

const describe = (folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
  return [`## ${name} ${version} (${license})`, ...texts].join("\n\n")
}

/** The names, versions and license texts of the packages of the files, in Markdown. */
export const licensesOf = (files) => {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined))
  return `# Licenses of bundled packages\n\n${[...folders].map(describe).sort().join("\n\n")}\n`
}
