/** Content that loads something without a click. */
export const loads = (url: string): Readonly<Record<string, string>> => ({
  script: `<script src="${url}/script"></script><script>new Image().src = "${url}/inline"</script>`,
  "event handler": `<img src="data:," onerror="new Image().src = '${url}/error'">`,
  "meta refresh": `<meta http-equiv="refresh" content="0; url=${url}/refresh">`,
  stylesheet: `<link rel="stylesheet" href="${url}/sheet">`,
  "css import": `<style>@import url("${url}/import"); body { background: url("${url}/background") }</style>`,
  "style attribute": `<p style="background: url(${url}/style)">Styled</p>`,
  image: `<img src="${url}/image" srcset="${url}/set 2x">`,
  base: `<base href="${url}/"><img src="relative">`,
  svg: `<svg><image href="${url}/svg" width="9" height="9"/><use href="${url}/use#a"/></svg>`,
  frame: `<iframe src="${url}/frame"></iframe><iframe srcdoc="<script src='${url}/srcdoc'></script>"></iframe>`,
  object: `<object data="${url}/object"></object><embed src="${url}/embed">`,
  "module script": `<script type="module">import "${url}/module"</script>`,
  "body attributes": `<body background="${url}/body" onload="new Image().src = '${url}/load'">`,
  "toggle handler": `<details open ontoggle="new Image().src = '${url}/toggle'"><summary>Open</summary></details>`,
  preconnect: `<link rel="preconnect" href="${url}"><link rel="prefetch" href="${url}/prefetch">`,
  "style in svg": `<svg><style>@import url("${url}/svg-style")</style></svg>`,
  "shadow root": `<div><template shadowrootmode="open"><img src="${url}/shadow"></template></div>`,
  picture: `<picture><source srcset="${url}/source"><img src="${url}/picture"></picture>`,
  "image button": `<form action="${url}/form"><input type="image" src="${url}/button"></form>`,
  media: `<video poster="${url}/poster" src="${url}/video"></video><audio src="${url}/audio"></audio>`
})

/** Content that navigates when its element `#it` is clicked. */
export const clicks = (url: string): Readonly<Record<string, string>> => ({
  link: `<a id="it" href="${url}/link">It</a>`,
  "link to the frame": `<a id="it" href="${url}/self" TARGET = "_self">It</a>`,
  "link to the top": `<a id="it" target=_top href="${url}/top">It</a>`,
  "link to the parent": `<a id="it" href="${url}/parent"target='_parent'>It</a>`,
  "link after another base": `<base target="_self"><a id="it" href="${url}/base">It</a>`,
  "script link": `<a id="it" href="javascript:location = '${url}/script'">It</a>`,
  "svg link": `<svg><a href="${url}/svg" target="_self"><text id="it" y="20">It</text></a></svg>`,
  "animated svg link": `<svg><a href="${url}/set"><set attributeName="t&#97;rget" to="_self"/><text id="it" y="20">It</text></a></svg>`,
  form: `<form action="${url}/form" target="_top"><button id="it">It</button></form>`,
  "button of a form": `<form><button id="it" formaction="${url}/button" formtarget="_self">It</button></form>`
})
