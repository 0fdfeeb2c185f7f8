package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.scan.RecordedProperties;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeRecordTest {

    @TempDir
    private Path folder;

    private static String components(int count, String type) {
        return IntStream.range(0, count).mapToObj(i -> type + " c" + i).collect(Collectors.joining(", "));
    }

    private void withRecord(String components, RecordUse use) throws IOException, ReflectiveOperationException {
        Path classes = SourceModules.compile(
                folder,
                List.of(),
                Map.of(
                        "large/Large.java",
                        "package large; import io.stowline.projection.*; public record Large(" + components + ") {}"));
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {url(classes)}, getClass().getClassLoader())) {
            use.accept(loader.loadClass("large.Large"));
        }
    }

    private static URL url(Path folder) throws MalformedURLException {
        return folder.toUri().toURL();
    }

    @FunctionalInterface
    private interface RecordUse {
        void accept(Class<?> type) throws ReflectiveOperationException;
    }

    @Test
    @DisplayName("MAP-3 T20: a record of 252 properties is mapped, written and read")
    void mapsTheMaxProperties() throws IOException, ReflectiveOperationException {
        withRecord(components(252, "String"), LargeRecordTest::roundTrip);
    }

    private static <T> void roundTrip(Class<T> type) {
        EntityType<T> large = EntityType.of(type);
        EntityReader<T> reader = large.newReader();
        Map<String, Object> expected = new LinkedHashMap<>();
        for (int i = 0; i < 252; i++) {
            reader.text(large.indexOf("c" + i), "v" + i);
            expected.put("c" + i, "v" + i);
        }
        T value = reader.build();
        EntityReader<T> again = large.newReader();
        RecordedProperties.of(value, type).playTo(again);

        assertThat(RecordedProperties.named(value, type)).isEqualTo(expected);
        assertThat(again.build()).isEqualTo(value);
    }

    @Test
    @DisplayName("MAP-3 T20: a record of 253 properties is refused when it is registered")
    void refusesTooManyProperties() throws IOException, ReflectiveOperationException {
        withRecord(components(253, "String"), type -> assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining("253 properties")
                .withMessageContaining("252"));
    }

    @Test
    void refusesMoreComponentsThanAHandleTakes() throws IOException, ReflectiveOperationException {
        String components = components(252, "String") + ", @PartitionKey String p, @RowKey String r";

        withRecord(components, type -> assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining("254 components"));
    }
}
