"""URLs of back-in-stock alerts; `config.urls` includes them under both languages."""

from django.urls import path

from commerce.stock_alerts import views

urlpatterns = [
    path("shop/shopdetails/<str:goods_id>/notice", views.ask, name="stock-alert-ask"),
    path("shop/notices/<str:token>", views.unsubscribe, name="stock-alert-unsubscribe"),
]
