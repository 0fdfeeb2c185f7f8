package io.stowline.system.reachability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.system.ForkedJvm;
import io.stowline.system.Project;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files by which the jars register classes in a native image, by version 1.2.0 of GraalVM's schema. */
class ReachabilityMetadataTest {

    private static final String NAME = "reachability-metadata.json";

    private static final Set<String> OF_A_TYPE = Set.of("condition", "type", "methods", "fields", "allPublicMethods");

    /** The property with Logback's jars, which are not on the class path of the tests. */
    private static final String LIBRARIES = "api.libraries";

    private static URLClassLoader loader;

    @BeforeAll
    static void open() {
        String classPath = ForkedJvm.classPath() + File.pathSeparator + System.getProperty(LIBRARIES, "");
        URL[] urls = Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> !entry.isBlank())
                .map(entry -> url(Path.of(entry)))
                .toArray(URL[]::new);
        loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files() {
        try (Stream<Path> modules = Files.list(Project.root())) {
            List<Path> found = new ArrayList<>();
            for (Path folder : modules.map(module -> module.resolve("src/main/resources/META-INF/native-image"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList()) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(Files::isRegularFile).forEach(found::add);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> entries(String section) {
        return files().stream()
                .flatMap(file -> StreamSupport.stream(
                        ImageMetadata.read(file).path(section).spliterator(), false));
    }

    private static List<String> keys(JsonNode node) {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    @Test
    void eachFileIsInTheFolderOfItsArtifact() {
        assertThat(files()).hasSizeGreaterThan(3).allSatisfy(file -> {
            Path module = Project.root().resolve(Project.root().relativize(file).getName(0));
            assertThat(module.resolve("pom.xml"))
                    .content()
                    .contains("<artifactId>" + file.getParent().getFileName() + "</artifactId>");
            assertThat(file.getParent().getParent().getFileName()).hasToString("io.stowline");
            assertThat(file.getFileName()).hasToString(NAME);
        });
    }

    @Test
    void eachFileHasTheKeysOfTheSchema() {
        assertThat(files())
                .allSatisfy(file -> assertThat(keys(ImageMetadata.read(file))).isSubsetOf("reflection", "resources"));
        assertThat(entries("reflection")).isNotEmpty().allSatisfy(entry -> {
            assertThat(keys(entry)).isSubsetOf(OF_A_TYPE).contains("type");
            assertThat(entry.path("methods"))
                    .allSatisfy(method -> assertThat(keys(method)).containsExactly("name", "parameterTypes"));
            assertThat(entry.path("fields"))
                    .allSatisfy(field -> assertThat(keys(field)).containsExactly("name"));
        });
        assertThat(entries("resources")).isNotEmpty().allSatisfy(entry -> assertThat(keys(entry))
                .containsExactlyInAnyOrder("condition", "glob"));
        assertThat(Stream.concat(entries("reflection"), entries("resources")).filter(entry -> entry.has("condition")))
                .allSatisfy(entry -> assertThat(keys(entry.get("condition"))).containsExactly("typeReached"));
    }

    /** Virtual threads need a newer JDK than the tests may have, and Kotlin is not on their class path. */
    @Test
    void eachClassWithItsMembersExists() {
        assertThat(entries("reflection")
                        .filter(entry -> Runtime.version().feature() >= 21 || !isOfVirtualThreads(entry))
                        .filter(entry -> !entry.get("type").asText().startsWith("kotlin.")))
                .allSatisfy(entry -> {
                    Class<?> type = type(entry.get("type").asText());
                    for (JsonNode method : entry.path("methods")) {
                        Class<?>[] parameters = StreamSupport.stream(
                                        method.get("parameterTypes").spliterator(), false)
                                .map(parameter -> type(parameter.asText()))
                                .toArray(Class<?>[]::new);
                        String name = method.get("name").asText();
                        assertThatCode(() -> {
                                    if (name.equals("<init>")) {
                                        type.getDeclaredConstructor(parameters);
                                    } else {
                                        type.getDeclaredMethod(name, parameters);
                                    }
                                })
                                .doesNotThrowAnyException();
                    }
                    for (JsonNode field : entry.path("fields")) {
                        assertThatCode(() ->
                                        type.getDeclaredField(field.get("name").asText()))
                                .doesNotThrowAnyException();
                    }
                });
        assertThat(Stream.concat(entries("reflection"), entries("resources"))
                        .filter(entry -> entry.has("condition"))
                        .map(entry -> entry.get("condition").get("typeReached").asText()))
                .allSatisfy(ReachabilityMetadataTest::type);
    }

    @Test
    void eachResourceExists() {
        assertThat(entries("resources").map(entry -> entry.get("glob").asText()))
                .allSatisfy(glob -> assertThat(
                                ReachabilityMetadataTest.class.getClassLoader().getResource(glob))
                        .isNotNull());
    }

    private static boolean isOfVirtualThreads(JsonNode entry) {
        return entry.path("condition").path("typeReached").asText().endsWith(".HandlerThreads");
    }

    private static Class<?> type(String name) {
        try {
            return switch (name) {
                case "int" -> int.class;
                case "long" -> long.class;
                default -> Class.forName(name, false, loader);
            };
        } catch (ClassNotFoundException e) {
            throw new AssertionError("there is no class " + name, e);
        }
    }
}
