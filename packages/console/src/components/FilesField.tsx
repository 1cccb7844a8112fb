import { attachmentsLimitBytes } from "@switchboard/domain/messages/Attachment"
import { byteSize } from "./Format.js"
import { IconButton } from "./Icon.js"

/** A file of a message that is being written. */
export interface AttachedFile {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The chosen file, or the id of an uploaded one. Absent after the page was loaded again. */
  readonly source?: File | string
}

interface FilesFieldProps {
  readonly files: ReadonlyArray<AttachedFile>
  readonly change: (files: ReadonlyArray<AttachedFile>) => void
  /** Default: 20. */
  readonly maxFiles?: number
}

/** The content of a file in base64. */
export const base64Of = ({ name, source }: AttachedFile) =>
  new Promise<string>((resolve, reject) => {
    const unreadable = new Error(`The file ${name} cannot be read. Choose it again, or remove it.`)
    if (!(source instanceof File)) return reject(unreadable)
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "")
    reader.onerror = () => reject(unreadable)
    reader.readAsDataURL(source)
  })

/** Files to attach, with their sizes. */
export const FilesField = ({ change, files, maxFiles = 20 }: FilesFieldProps) => {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const isExceeded = files.length > maxFiles || total > attachmentsLimitBytes
  const add = (chosen: FileList | null) => {
    const added = [...(chosen ?? [])].map((file) => ({ name: file.name, size: file.size, source: file }))
    const isReplaced = ({ name, source }: AttachedFile) =>
      source === undefined && added.some((file) => file.name === name)
    change(maxFiles === 1 ? added : [...files.filter((file) => !isReplaced(file)), ...added])
  }
  return (
    <fieldset>
      <legend>Files</legend>
      {files.length > 0 && (
        <ul class="files" aria-label="Files">
          {files.map((file, index) => (
            <li key={`${index} ${file.name}`}>
              <bdi>{file.name}</bdi>
              <span class="hint">{byteSize(file.size)}</span>
              {file.source === undefined && <span class="problem">Choose it again, or remove it.</span>}
              <IconButton
                icon="close"
                label={`Remove ${file.name}`}
                title="Remove"
                press={() => change(files.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <label class="button file-button">
        {maxFiles === 1 ? "Choose a file" : "Add files"}
        <input
          type="file"
          multiple={maxFiles > 1}
          class="visually-hidden"
          onChange={({ currentTarget }) => {
            add(currentTarget.files)
            currentTarget.value = ""
          }}
        />
      </label>
      <small role="status" class={isExceeded ? "problem" : undefined}>
        {files.length > 0 && `${files.length} of at most ${maxFiles} files, ${byteSize(total)} of `}
        {files.length === 0 && `At most ${maxFiles} files, `}
        {byteSize(attachmentsLimitBytes)} together.{isExceeded && " Remove some."}
      </small>
    </fieldset>
  )
}
