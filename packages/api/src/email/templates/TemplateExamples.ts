const template = {
  id: "01a1fc1d-d2b0-7c31-9a41-6f1de0a4b7c2",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  name: "Order shipped",
  subject: "Your order {{order.id}} has shipped",
  html: "<p>Hello {{name}},</p><ul>{{#items}}<li>{{title}}</li>{{/items}}</ul>",
  text: "Hello {{name}},\n{{#items}}\n- {{title}}\n{{/items}}",
  variables: [
    { name: "order.id", required: true },
    { name: "name", required: false, fallback: "there" },
    { name: "title", required: false },
    { name: "items", required: false }
  ],
  version: 1,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z"
}

const { createdAt, html, id: templateId, subject, text, variables } = template
const version = { templateId, version: 1, subject, html, text, variables, createdAt }

/** Examples by operation id. */
export const templateExamples = {
  "templates.list": {
    response: { items: [template], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "templates.create": {
    request: {
      name: template.name,
      subject: template.subject,
      html: template.html,
      text: template.text,
      variables: [{ name: "name", fallback: "there" }]
    },
    response: template
  },
  "templates.versions": {
    response: { items: [version], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "templates.get": { response: template },
  "templates.update": {
    request: { subject: "Order {{order.id}} is on its way" },
    response: {
      ...template,
      subject: "Order {{order.id}} is on its way",
      version: 2,
      updatedAt: "2026-11-20T10:15:20.000Z"
    }
  },
  "templates.remove": { response: { success: true } },
  "templates.render": {
    request: { data: { order: { id: "1815" }, items: [{ title: "Nuts & bolts" }] } },
    response: {
      subject: "Your order 1815 has shipped",
      html: "<p>Hello there,</p><ul><li>Nuts &amp; bolts</li></ul>",
      text: "Hello there,\n- Nuts & bolts\n",
      missing: []
    }
  },
  "templates.html": {
    response: '<base target="_blank"><p>Hello there,</p><ul></ul>'
  }
}
