import { ErrorNotice } from "./ErrorNotice.js"

interface PendingProps {
  readonly error: unknown
  readonly reload: () => void
}

/** In place of a value that is loading, or could not be loaded. */
export const Pending = ({ error, reload }: PendingProps) =>
  error === undefined ? (
    <p class="loading" role="status" aria-label="Loading" />
  ) : (
    <ErrorNotice error={error} retry={reload} />
  )
