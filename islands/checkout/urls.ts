import { pageUrl } from '../lang';

export const cartUrl = () => pageUrl('/home/cart');
export const deliveryUrl = () => pageUrl('/home/createOrder/delivery');
export const payTypeUrl = () => pageUrl('/home/createOrder/payType');
export const ordersUrl = () => pageUrl('/home/account/orders');
export const orderUrl = (orderNo: string) =>
  pageUrl(`/home/account/orderdetails/${encodeURIComponent(orderNo)}`);
/** Where the picture of a transfer is sent. */
export const transferUrl = (orderNo: string) => `${orderUrl(orderNo)}#transfer`;
export const payResultUrl = (orderNo: string) => pageUrl(`/home/payResult/${encodeURIComponent(orderNo)}`);
