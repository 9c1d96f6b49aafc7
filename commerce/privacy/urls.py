"""URLs of the privacy pages; `config.urls` includes them under both languages."""

from django.urls import path

from commerce.privacy import views

urlpatterns = [
    path("home/account/privacy", views.privacy, name="privacy"),
    path("home/unsubscribe/<str:token>", views.unsubscribe, name="unsubscribe"),
]
