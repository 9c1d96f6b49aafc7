"""The paths that the HTTP front end and the middleware handle specially."""

API = "/api/"
ADMIN = "/admin"
UPLOAD = "/api/v1/upload/oss/image"
# The health checks, which probes ask every few seconds, often by the address of the host.
LIVENESS, READINESS = "/livez", "/readyz"
