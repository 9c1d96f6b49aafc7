/** Resolves once one of the elements is within a distance of what the reader sees; `margin`: as CSS writes lengths. */
export function whenNear(elements: Iterable<Element>, margin: string): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: margin },
    );
    for (const element of elements) observer.observe(element);
  });
}
