package io.stowline.processor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    private boolean compiles(String source, String... options) throws IOException {
        Path file =
                Files.writeString(Files.createDirectories(folder.resolve("src")).resolve("Shop.java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> all = new ArrayList<>(List.of(
                "-d",
                Files.createDirectories(folder.resolve("classes")).toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "-Xlint:all,-processing",
                "-Werror"));
        all.addAll(List.of(options));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
            JavaCompiler.CompilationTask task =
                    compiler.getTask(messages, files, null, all, null, files.getJavaFileObjects(file));
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
        Matcher type = TYPE.matcher(
                Files.readString(folder.resolve("classes").resolve(written().get(0))));
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
                        Path.of("META-INF/native-image/io.stowline.types/shop.Shop.Group/reachability-metadata.json"));
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

        assertThat(types()).contains("shop.Shop$Parcel", "shop.Shop$Line", "shop.Shop$Unit", "shop.Shop$Plain");
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
