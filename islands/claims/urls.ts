import { pageUrl } from '../lang';

export const claimsUrl = () => pageUrl('/home/account/claims');
export const claimUrl = (claimNo: string) => pageUrl(`/home/account/claims/${encodeURIComponent(claimNo)}`);
export const newClaimUrl = (orderNo: string) =>
  pageUrl(`/home/account/claims/new/${encodeURIComponent(orderNo)}`);
