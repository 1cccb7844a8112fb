import { client } from "../app/Client.js"
import type { BlockImport } from "../app/Types.js"
import { Facts } from "../components/Facts.js"
import { FileField, fileOf } from "../components/Fields.js"
import { numberText } from "../components/Format.js"
import { ResultFormDialog } from "../components/Resource.js"

/** The text of a file in UTF-8, or UTF-16 with a byte order mark. Rejects others: they would change addresses. */
const textOf = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [first, second] = bytes
  const label =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
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
    const result = await client.blocks.import({ payload: await textOf(file) })
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
        hint="The first line names the columns: email or domain, and any of reason, category, expiresAt and createdAt. Exports of Postmark, SendGrid, Amazon SES, Postal, Mailgun and Resend are read as they are. Addresses that are blocked already stay as they are."
      />
    </ResultFormDialog>
  )
}
