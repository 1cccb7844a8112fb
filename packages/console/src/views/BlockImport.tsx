import { client } from "../app/Client.js"
import type { BlockImport } from "../app/Types.js"
import { Facts } from "../components/Facts.js"
import { FileField, fileOf } from "../components/Fields.js"
import { numberText } from "../components/Format.js"
import { ResultFormDialog } from "../components/Resource.js"

/** The text of a file. Rejects if it is not UTF-8: other characters would change addresses. */
const utf8Text = async (file: File): Promise<string> => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new Error(`The file ${file.name} is not UTF-8. Save it as CSV in UTF-8.`)
  }
}

/** The result of an import, with the lines that were refused. */
const Result = ({ result: { added, existing, refused, refusedLines } }: { readonly result: BlockImport }) => (
  <div class="form">
    <Facts
      facts={[
        ["Added", numberText(added)],
        ["Existing", numberText(existing)],
        ["Refused", numberText(refused)]
      ]}
    />
    {refusedLines.length > 0 && (
      <ul class="plain-list" aria-label="Refused lines">
        {refusedLines.flatMap(({ fields, line }) =>
          Object.entries(fields).map(([column, problems]) => (
            <li key={`${line} ${column}`}>
              Line {line}: <code>{column}</code> {problems.join(", ")}
            </li>
          ))
        )}
      </ul>
    )}
    {refused > refusedLines.length && <p class="hint">The first {numberText(refusedLines.length)} refused lines</p>}
  </div>
)

/** The import of a CSV file of blocks. */
export const ImportBlocks = ({ imported }: { readonly imported: () => void }) => {
  const submit = async (form: FormData) => {
    const file = fileOf(form, "file")
    if (file === undefined) throw new Error("Choose a file.")
    const result = await client.blocks.import({ payload: await utf8Text(file) })
    imported()
    return { title: "The file is imported", content: () => <Result result={result} /> }
  }
  return (
    <ResultFormDialog label="Import" permission="email.write" submitLabel="Import" submit={submit}>
      <FileField
        label="CSV file"
        name="file"
        accept=".csv,text/csv"
        required
        hint="In UTF-8. The first line names the columns: email or domain, and any of reason, category and expiresAt. Addresses that are blocked already stay as they are."
      />
    </ResultFormDialog>
  )
}
