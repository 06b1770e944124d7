"use strict";
// Shows the API's own document. A change from here needs the token of this page's session.
const csrf = document.querySelector('meta[name="csrf"]').content;
window.ui = SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#docs",
  // Without links to operations: they would stand inside the buttons that unfold them.
  deepLinking: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (csrf) request.headers["X-CSRF-Token"] = csrf;
    return request;
  },
});
