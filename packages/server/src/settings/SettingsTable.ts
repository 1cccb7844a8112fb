import { type SettingDoc, variablesOf } from "./Setting.js"
import { settingDocs } from "./Settings.js"

const unitOf = ({ type, unit }: SettingDoc): string =>
  unit ?? (type.startsWith("duration") ? "named in the value" : "–")

const rowOf = (doc: SettingDoc): string =>
  `| ${variablesOf(doc)
    .map((name) => `\`${name}\``)
    .join(", ")} | ${doc.type} | ${doc.default} | ${unitOf(doc)} | ${doc.meaning} |`

/** Every setting as a table in Markdown, for docs/settings.md. */
export const settingsTable = [
  "| Setting | Type | Default | Unit | Meaning |",
  "| --- | --- | --- | --- | --- |",
  ...settingDocs.map(rowOf)
].join("\n")
