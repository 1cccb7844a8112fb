import type { JSX } from "preact"
import { client, serviceUrl } from "../../app/Client.js"
import { byteSize } from "../../components/ByteSize.js"
import { Facts } from "../../components/Facts.js"
import { Pending } from "../../components/Pending.js"
import { useLoad } from "../../components/UseLoad.js"
import { parseHeaders } from "./ParseHeaders.js"

/** The maximum size of a mail that is shown, in bytes. A larger one can be downloaded. */
const maxShown = 500_000

const useRaw = (id: string) => useLoad((signal) => client.emailRecords.raw({ path: { id } }, { signal }), [id])

interface LoadedProps {
  readonly id: string
  readonly show: (raw: Uint8Array) => JSX.Element
}

const Loaded = ({ id, show }: LoadedProps) => {
  const { error, reload, value } = useRaw(id)
  return value === undefined ? <Pending error={error} reload={reload} /> : show(value)
}

const textOf = (raw: Uint8Array) => new TextDecoder().decode(raw.subarray(0, maxShown))

/** All headers of a mail, in their order. */
export const Headers = ({ id }: { readonly id: string }) => (
  <Loaded id={id} show={(raw) => <Facts facts={parseHeaders(textOf(raw))} />} />
)

/** The mail as it was sent or received. */
export const RawMail = ({ id }: { readonly id: string }) => (
  <Loaded
    id={id}
    show={(raw) => (
      <>
        <p class="hint">
          {byteSize(raw.length)}
          {raw.length > maxShown && `, of which ${byteSize(maxShown)} are shown`} ·{" "}
          <a href={`${serviceUrl}/v1/email/${id}/raw`} download={`${id}.eml`}>
            Download
          </a>
        </p>
        <pre class="mail-text">{textOf(raw)}</pre>
      </>
    )}
  />
)
