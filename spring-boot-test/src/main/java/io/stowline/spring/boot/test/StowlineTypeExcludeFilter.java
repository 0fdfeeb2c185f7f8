package io.stowline.spring.boot.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** A filter that keeps scanned components out of the slice, but for those that a filter of {@link StowlineTest} includes. */
final class StowlineTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<StowlineTest> {

    StowlineTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
