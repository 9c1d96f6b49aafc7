"""The paths that the HTTP front end and the middleware handle specially."""

API = "/api/"
ADMIN = "/admin"
# Notices (webhook messages) of payment and tracking providers.
NOTICES = ("/pay/notice/", "/tracking/notice/")
UPLOAD = "/api/v1/upload/oss/image"
# The health checks, which probes ask every few seconds, often by the address of the host.
LIVENESS, READINESS = "/livez", "/readyz"
