import { pageUrl } from '../lang';

export const cartUrl = () => pageUrl('/home/cart');
export const deliveryUrl = () => pageUrl('/home/createOrder/delivery');
export const payTypeUrl = () => pageUrl('/home/createOrder/payType');
export const ordersUrl = () => pageUrl('/home/account/orders');
export const orderUrl = (orderNo: string) =>
  pageUrl(`/home/account/orderdetails/${encodeURIComponent(orderNo)}`);
export const parcelsUrl = (orderNo: string) =>
  pageUrl(`/home/account/logis?order=${encodeURIComponent(orderNo)}`);
/** Where the bank account for a transfer is, and below it the form for its picture. */
export const instructionsUrl = (orderNo: string) => `${orderUrl(orderNo)}#instructions`;
export const payResultUrl = (orderNo: string) => pageUrl(`/home/payResult/${encodeURIComponent(orderNo)}`);
