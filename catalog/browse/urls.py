"""The pages to browse; `config.urls` puts them under both languages."""

from django.urls import path

from catalog.browse import views

urlpatterns = [
    path("", views.to_home),
    path("shop", views.shop, name="shop"),
    path("shop/shopdetails/<str:goods_id>", views.goods, name="goods"),
]
