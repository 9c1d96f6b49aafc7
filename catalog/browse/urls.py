"""The URLs of the catalogue's pages; `config.urls` adds them in both languages."""

from django.urls import path

from catalog.browse import views

urlpatterns = [
    path("", views.to_home),
    path("home/bulk", views.bulk, name="bulk"),
    path("promotions", views.promotions, name="promotions"),
    path("promotions/<str:promotion_id>", views.promotion, name="promotion"),
    path("brand", views.brands, name="brands"),
    path("categories", views.categories, name="categories"),
    path("categories/menu", views.category_menu, name="category-menu"),
    path("shop", views.shop, name="shop"),
    path("shop/cards", views.some_cards, name="cards"),
    path("shop/sizes/<str:goods_id>", views.sizes, name="sizes"),
    path("shop/shopdetails/<str:goods_id>", views.product, name="goods"),
]
