"""The paths that the HTTP front end and the middleware handle in ways of their own."""

API = "/api/"
ADMIN = "/admin"
UPLOAD = "/api/v1/upload/oss/image"
