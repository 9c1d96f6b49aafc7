"""The pages by which customers decide about their data; `config.urls` puts them under both languages."""

from django.urls import path

from commerce.privacy import views

urlpatterns = [
    path("home/account/privacy", views.privacy, name="privacy"),
    path("home/unsubscribe/<str:token>", views.unsubscribe, name="unsubscribe"),
]
