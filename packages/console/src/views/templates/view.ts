import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of templates. */
export const templatesView = defineView({
  path: paths.templates,
  permission: "templates.read",
  navigation: { group: "E-mail", label: "Templates", icon: "template" },
  load: () => import("./TemplatesView.js")
})

/** The editor of a template. */
export const templateEditor = defineView({
  path: paths.templateEditor,
  permission: "templates.write",
  load: () => import("./TemplateEditor.js")
})

/** One template with its preview and its versions. */
export const templateView = defineView({
  path: paths.template,
  permission: "templates.read",
  load: () => import("./TemplateView.js")
})
