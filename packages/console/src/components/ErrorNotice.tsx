import { requestIdOf } from "@switchboard/client/promise"
import { errorText, fieldErrors } from "./ErrorText.js"
import { Icon } from "./Icon.js"

/** An error with its words, its fields and the id of its request, with which the logs of the service can be searched. */
export const ErrorNotice = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const requestId = requestIdOf(error)
  const fields = fieldErrors(error)
  return (
    <div class="notice failed" role="alert">
      <Icon name="alert" />
      <div>
        <p>{errorText(error)}</p>
        {fields.length > 0 && (
          <ul>
            {fields.map(([path, words]) => (
              <li key={path}>
                <code>{path}</code> {words}
              </li>
            ))}
          </ul>
        )}
        {requestId !== undefined && (
          <p class="hint">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
