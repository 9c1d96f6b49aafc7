"""The pages of back-in-stock notices; `config.urls` puts them under both languages."""

from django.urls import path

from commerce.notices import views

urlpatterns = [
    path("shop/shopdetails/<str:goods_id>/notice", views.ask, name="notice-ask"),
    path("shop/notices/<str:token>", views.unsubscribe, name="notice-unsubscribe"),
]
