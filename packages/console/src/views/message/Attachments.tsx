import { client } from "../../app/Client.js"
import { byteSize } from "../../components/ByteSize.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { useLoad } from "../../components/UseLoad.js"

/** The attachments of a mail with links to download them. */
export const Attachments = ({ id }: { readonly id: string }) => {
  const { error, reload, value } = useLoad((signal) => client.emailRecords.get({ path: { id } }, { signal }), [id])
  if (error !== undefined) return <ErrorNotice error={error} retry={reload} />
  return (
    <ul class="attachments" aria-label="Attachments" aria-busy={value === undefined}>
      {value?.attachments.map((attachment) => (
        <li key={attachment.id}>
          <a href={attachment.url} download={attachment.filename}>
            {attachment.filename}
          </a>{" "}
          <small>
            {attachment.contentType}, {byteSize(attachment.size)}
          </small>
        </li>
      ))}
    </ul>
  )
}
