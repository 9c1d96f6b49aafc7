"""Login and the account pages."""

from django.urls import path

from commerce.accounts import views

urlpatterns = [
    path("home/login", views.login, name="login"),
    path("home/sign", views.sign, name="sign"),
    path("home/account", views.account, name="account"),
    path("home/account/accountdetails", views.details, name="account-details"),
    path("home/account/useraddress", views.addresses, name="addresses"),
    path("home/account/password", views.password, name="passwords"),
]
