package io.stowline.processor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.annotation.processing.Processor;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTypeProcessorTest {

    private static final Pattern TYPE = Pattern.compile("\"type\": \"([^\"]+)\"");

    private static final String SHOP = """
            package shop;
            import io.stowline.projection.*;
            import java.util.*;
            public class Shop {
                record Plain(String text) {}
                record Place(String city) {}
                record Order(@PartitionKey String customer, @RowKey String id, @Nested Place to, @Nested Optional<Home> from,
                        @Converted(ToCode.class) Currency currency) {}
                public static class Home {
                    private final String street;
                    public Home(@Property("street") String street) { this.street = street; }
                }
                public static class ToCode implements Converter<Currency, String> {
                    public Class<String> storedType() { return String.class; }
                    public String store(Currency value) { return value.getCurrencyCode(); }
                    public Currency restore(String stored) { return Currency.getInstance(stored); }
                }
                sealed interface Row permits Item, Group {}
                sealed interface Group extends Row permits Part {}
                @RowPrefix("I:") record Item(@PartitionKey String a, @RowKey String b) implements Row {}
                @Discriminator(property = "kind", value = "p") record Part(@PartitionKey String a, @RowKey String b) implements Group {}
                record Parcel(String id, List<Line> lines, Line[] more, Parcel around) {
                    static final Plain NONE = new Plain("");
                }
                record Line(Map<String, Unit> units) {}
                enum Unit { ONE }
            }
            """;

    @TempDir
    private Path folder;

    private final StringWriter messages = new StringWriter();

    private static Path metadata(String types) {
        return Path.of("META-INF/native-image/" + types + "/reachability-metadata.json");
    }

    private String classPath() {
        return folder.resolve("classes")
                + File.pathSeparator
                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private boolean compiles(String source, String... options) throws IOException {
        return compiles(Map.of("Shop.java", source), options);
    }

    private boolean compiles(Map<String, String> sources, String... options) throws IOException {
        List<Path> paths = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = Files.createDirectories(folder.resolve("src")).resolve(source.getKey());
            paths.add(Files.writeString(file, source.getValue()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> all = new ArrayList<>(List.of(
                "-d",
                Files.createDirectories(folder.resolve("classes")).toString(),
                "-cp",
                classPath(),
                "-Xlint:all",
                "-Werror"));
        all.addAll(List.of(options));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
            JavaCompiler.CompilationTask task =
                    compiler.getTask(messages, files, null, all, null, files.getJavaFileObjectsFromPaths(paths));
            task.setProcessors(List.of(new EntityTypeProcessor()));
            return task.call();
        }
    }

    private List<Path> written() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("classes"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .map(folder.resolve("classes")::relativize)
                    .toList();
        }
    }

    private List<String> types() throws IOException {
        assertThat(written()).hasSize(1);
        return types(written().get(0));
    }

    private List<String> types(Path written) throws IOException {
        Matcher type = TYPE.matcher(Files.readString(folder.resolve("classes").resolve(written)));
        List<String> found = new ArrayList<>();
        while (type.find()) {
            found.add(type.group(1));
        }
        return found;
    }

    @Test
    void registersMappedTypesNestedValuesConvertersAndSealedParents() throws IOException {
        assertThat(compiles(SHOP)).as(messages::toString).isTrue();

        assertThat(types())
                .containsExactly(
                        "shop.Shop$Group",
                        "shop.Shop$Home",
                        "shop.Shop$Item",
                        "shop.Shop$Order",
                        "shop.Shop$Part",
                        "shop.Shop$Place",
                        "shop.Shop$Row",
                        "shop.Shop$ToCode");
        assertThat(written())
                .containsExactly(
                        Path.of("META-INF/native-image/io.stowline.types/shop.Shop/reachability-metadata.json"));
        assertThat(folder.resolve("classes").resolve(written().get(0)))
                .content()
                .startsWith("""
                        {
                          "reflection": [
                            {"type": "shop.Shop$Group", "allDeclaredConstructors": true, "allDeclaredMethods": true, \
                        "allDeclaredFields": true, "allPublicMethods": true},
                        """)
                .endsWith("true}\n  ]\n}\n");
    }

    @Test
    void anOptionAddsTypesWithTheTypesOfTheirFields() throws IOException {
        assertThat(compiles(SHOP, "-Astowline.types=shop.Shop.Parcel, shop.Shop.Plain"))
                .as(messages::toString)
                .isTrue();

        assertThat(written())
                .containsExactlyInAnyOrder(
                        metadata("io.stowline.types/shop.Shop"), metadata("io.stowline.types.option/shop.Shop.Parcel"));
        assertThat(types(metadata("io.stowline.types.option/shop.Shop.Parcel")))
                .containsExactly("shop.Shop$Line", "shop.Shop$Parcel", "shop.Shop$Plain", "shop.Shop$Unit");
    }

    @Test
    void anOptionNamesTypesOfACompilationWithoutAnnotations() throws IOException {
        assertThat(compiles("package shop; public class Shop { int a; }", "-Astowline.types=shop.Shop"))
                .as(messages::toString)
                .isTrue();

        assertThat(types()).containsExactly("shop.Shop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Astowline.types", "-Astowline.types=", "-Astowline.types= , "})
    void anOptionWithoutTypesAddsNone(String option) throws IOException {
        assertThat(compiles(SHOP, option)).as(messages::toString).isTrue();

        assertThat(types()).hasSize(8);
    }

    @Test
    void aCompilationOfAPartKeepsTheFilesOfTheRest() throws IOException {
        String alpha = "package shop; import io.stowline.projection.*;"
                + " record Alpha(@PartitionKey String a, @RowKey String b, @Nested Gamma c) {}";
        String beta = "package shop; import io.stowline.projection.*;"
                + " record Beta(@PartitionKey String a, @RowKey String b) {}";
        String gamma = "package shop; import io.stowline.projection.*; record Gamma(@Property(\"G\") String g) {}";

        assertThat(compiles(Map.of("Alpha.java", alpha, "Beta.java", beta, "Gamma.java", gamma)))
                .as(messages::toString)
                .isTrue();
        assertThat(compiles(Map.of("Delta.java", beta.replace("Beta", "Delta"))))
                .as(messages::toString)
                .isTrue();
        assertThat(compiles(Map.of("Alpha.java", alpha))).as(messages::toString).isTrue();

        assertThat(types(metadata("io.stowline.types/shop.Alpha"))).containsExactly("shop.Alpha", "shop.Gamma");
        assertThat(types(metadata("io.stowline.types/shop.Beta"))).containsExactly("shop.Beta");
        assertThat(types(metadata("io.stowline.types/shop.Gamma"))).containsExactly("shop.Gamma");
        assertThat(types(metadata("io.stowline.types/shop.Delta"))).containsExactly("shop.Delta");
    }

    @Test
    void refusesAnOptionThatNamesNoType() throws IOException {
        assertThat(compiles(SHOP, "-Astowline.types=shop.Gone")).isFalse();
        assertThat(messages).asString().contains("stowline.types names shop.Gone", "canonical name");
    }

    @Test
    void writesNothingForOtherSources() throws IOException {
        assertThat(compiles("package shop; public class Shop { @Deprecated int a; }"))
                .as(messages::toString)
                .isTrue();
        assertThat(written()).isEmpty();
    }

    @Test
    void theCompilerFindsIt() {
        assertThat(ServiceLoader.load(Processor.class)).hasAtLeastOneElementOfType(EntityTypeProcessor.class);
    }
}
