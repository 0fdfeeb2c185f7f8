package io.stowline.spring.boot.test;

import io.stowline.spring.boot.test.StowlineTest.StorageMode;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** A bootstrapper that turns the attributes of {@link StowlineTest} into properties, which distinguish contexts. */
final class StowlineTestContextBootstrapper extends TestSliceTestContextBootstrapper<StowlineTest> {

    static final String FAULT_PROXY = "stowline.test.fault-proxy";
    private static final String LISTENERS = "stowline.consumers.enabled";

    /** Made by Spring. */
    StowlineTestContextBootstrapper() {}

    @Override
    protected String[] getProperties(Class<?> testClass) {
        List<String> properties =
                new ArrayList<>(List.of("stowline.create-missing=true", "stowline.config.enabled=false"));
        MergedAnnotation<StowlineTest> slice = MergedAnnotations.from(testClass, SearchStrategy.INHERITED_ANNOTATIONS)
                .get(StowlineTest.class);
        slice.getValue("faultProxy", Boolean.class).ifPresent(on -> properties.add(FAULT_PROXY + "=" + on));
        slice.getValue("storage", StorageMode.class)
                .filter(mode -> mode != StorageMode.AZURITE)
                .ifPresent(mode -> properties.add(OnStorageMode.PROPERTY + "=" + mode));
        slice.getValue("listeners", Boolean.class).ifPresent(on -> properties.add(LISTENERS + "=" + on));
        String[] given = super.getProperties(testClass);
        if (given != null) {
            properties.addAll(List.of(given));
        }
        return properties.toArray(String[]::new);
    }
}
