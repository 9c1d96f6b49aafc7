"""The pages to browse; `config.urls` puts them under both languages."""

from django.urls import path

from catalog.browse import bulk, detail, promotion_pages, views

urlpatterns = [
    path("", views.to_home),
    path("home/bulk", bulk.bulk, name="bulk"),
    path("promotions", promotion_pages.promotions, name="promotions"),
    path("promotions/<str:promotion_id>", promotion_pages.promotion, name="promotion"),
    path("brand", views.brands, name="brands"),
    path("shop", views.shop, name="shop"),
    path("shop/shopdetails/<str:goods_id>", detail.goods, name="goods"),
]
