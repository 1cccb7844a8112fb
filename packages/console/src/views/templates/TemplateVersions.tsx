import { client } from "../../app/Client.js"
import { place } from "../../app/Location.js"
import { showDone } from "../../app/Toasts.js"
import type { Template, TemplateVersion } from "../../app/Types.js"
import { ActionButton } from "../../components/ActionButton.js"
import { feedStep, useFeed } from "../../components/Feed.js"
import { LoadMore } from "../../components/LoadMore.js"
import { Time } from "../../components/Time.js"

interface TemplateVersionsProps {
  readonly template: Template
  readonly restored: (template: Template) => void
}

const keyOf = ({ version }: TemplateVersion) => String(version)

/** The versions of a template, newest first. Each opens to its content. */
export const TemplateVersions = ({ restored, template: { id, version: current } }: TemplateVersionsProps) => {
  const feed = useFeed(`${id} ${current}`, keyOf, (signal) =>
    client.templates.versions.all({ path: { id }, urlParams: { limit: feedStep } }, { signal })
  )
  const restore = async ({ html, subject, text, variables, version }: TemplateVersion) => {
    const fallbacks = variables.flatMap(({ fallback, name }) => (fallback === undefined ? [] : [{ name, fallback }]))
    restored(
      await client.templates.update({
        path: { id },
        payload: { subject, html, text: text ?? null, variables: fallbacks }
      })
    )
    showDone(`The content of version ${version} is current again`)
  }
  return (
    <section class="card versions" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <ul aria-label="Versions" aria-busy={feed.state.value._tag === "Loading"}>
        {feed.items.value.map((version) => (
          <li key={version.version}>
            <details open={place.value.query.get("version") === String(version.version)}>
              <summary>
                Version {version.version}
                {version.version === current && <span class="tag">current</span>}
                <Time value={version.createdAt} />
              </summary>
              <div class="form">
                <strong>{version.subject}</strong>
                <pre class="mail-text">{version.html}</pre>
                {version.text !== undefined && <pre class="mail-text">{version.text}</pre>}
                {version.version !== current && (
                  <div class="buttons">
                    <ActionButton
                      label="Restore"
                      permission="templates.write"
                      confirm={`The content of version ${version.version} becomes a new version. Later sends use it.`}
                      action={() => restore(version)}
                    />
                  </div>
                )}
              </div>
            </details>
          </li>
        ))}
      </ul>
      <LoadMore feed={feed} />
    </section>
  )
}
