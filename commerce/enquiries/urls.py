"""The URL that the contact form is sent to; `config.urls` includes it under both languages."""

from django.urls import path

from commerce.enquiries import views

urlpatterns = [path("home/contact/send", views.send, name="enquiry-send")]
