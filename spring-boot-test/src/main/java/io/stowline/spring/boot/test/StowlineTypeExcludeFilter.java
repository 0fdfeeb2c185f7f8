package io.stowline.spring.boot.test;

import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.AssignableTypeFilter;

/**
 * A filter that keeps scanned components out of the slice, but for those that import a {@link StowlineBeans} which the test does not import itself,
 * those with listener methods if listeners run, and those that a filter of {@link StowlineTest} includes.
 */
final class StowlineTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<StowlineTest> {

    private static final AssignableTypeFilter DECLARES_BEANS = new AssignableTypeFilter(StowlineBeans.class);

    private static final String LISTENER = StowlineQueueListener.class.getName();

    private final Set<String> importedByTest;
    private final boolean listens;

    StowlineTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
        importedByTest = imports(MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
                        .withEnclosingClasses(type -> true)
                        .from(testClass))
                .collect(Collectors.toUnmodifiableSet());
        listens = getAnnotation().getValue("listeners", Boolean.class).orElse(false);
    }

    private static Stream<String> imports(MergedAnnotations annotations) {
        return annotations.stream(Import.class).flatMap(each -> Stream.of(each.getStringArray("value")));
    }

    @Override
    protected boolean defaultInclude(MetadataReader type, MetadataReaderFactory types) throws IOException {
        boolean declaresBeans = false;
        for (String imported :
                imports(type.getAnnotationMetadata().getAnnotations()).toList()) {
            if (importedByTest.contains(imported)) {
                return super.defaultInclude(type, types);
            }
            declaresBeans |= DECLARES_BEANS.match(types.getMetadataReader(imported), types);
        }
        return declaresBeans || (listens && hasListener(type, types)) || super.defaultInclude(type, types);
    }

    /** Also inherited methods are listeners. */
    private static boolean hasListener(MetadataReader type, MetadataReaderFactory types) throws IOException {
        if (type.getAnnotationMetadata().hasAnnotatedMethods(LISTENER)) {
            return true;
        }
        String parent = type.getClassMetadata().getSuperClassName();
        return parent != null && !parent.startsWith("java.") && hasListener(types.getMetadataReader(parent), types);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof StowlineTypeExcludeFilter that
                && listens == that.listens
                && importedByTest.equals(that.importedByTest);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * super.hashCode() + importedByTest.hashCode()) + Boolean.hashCode(listens);
    }
}
