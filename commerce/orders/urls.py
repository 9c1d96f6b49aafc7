"""URLs of checkout and order pages."""

from django.urls import path

from commerce.orders import views

urlpatterns = [
    # The address that the specification of the shop names for an order.
    path("order/<slug:order_no>", views.to_order_details),
    path("home/createOrder", views.create_order, name="create-order"),
    path("home/createOrder/delivery", views.delivery, name="checkout-delivery"),
    path("home/createOrder/payType", views.pay_type, name="checkout-pay-type"),
    path("home/payResult/<slug:number>", views.pay_result, name="pay-result"),
    path("home/account/orders", views.orders, name="orders"),
    path("home/account/logis", views.logistics, name="logistics"),
    path("home/account/reorder", views.reorder, name="reorder"),
    path("home/account/rewards", views.rewards, name="rewards"),
    path("home/account/orderdetails/<slug:order_no>", views.order_details, name="order-details"),
]
