"""The paths that the HTTP front end and the middleware handle specially."""

API = "/api/"
ADMIN = "/admin"
UPLOAD = "/api/v1/upload/oss/image"
