package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("DESIGN: the client is introspected where no optional library is, as a container and a mock do")
class WithoutOptionalTest {

    private static final String[] MODULES = {"retry", "batching", "projection", "caching", "client"};

    private static final Pattern OPTIONAL = Pattern.compile("(stowline-journal|h2-mvstore|resilience4j-circuitbreaker"
            + "|resilience4j-micrometer|micrometer-|context-propagation|HdrHistogram|LatencyUtils).*\\.jar");

    /** Types that belong to an optional library by their meaning, and are used together with it only. */
    private static final Set<String> FOR_OPTIONAL = Set.of(
            "io.stowline.CircuitBreakers",
            "io.stowline.table.WriterJournal",
            "io.stowline.caching.ResponseCacheMeters",
            "io.stowline.observe.MicrometerListener",
            "io.stowline.observe.StowlineObservationContext",
            "io.stowline.observe.StowlineObservationConvention");

    private static boolean isOptional(Path entry) {
        return OPTIONAL.matcher(entry.getFileName().toString()).matches()
                || Files.exists(entry.resolve("io/stowline/journal/Journal.class"));
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static URLClassLoader withoutOptional() {
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Stream.of(whole.split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> !isOptional(entry))
                .map(WithoutOptionalTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    /** All that a container or a mock asks a class for; it ends at the first type that is not there. */
    private static void introspect(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            Object[] members = {
                each.getDeclaredMethods(),
                each.getDeclaredConstructors(),
                each.getDeclaredFields(),
                each.getInterfaces()
            };
            assertThat(members).hasSize(4);
        }
        Arrays.stream(type.getDeclaredClasses()).forEach(WithoutOptionalTest::introspect);
    }

    @Test
    @DisplayName("DESIGN: only classes that are for an optional library name its types")
    void introspected() throws IOException, ClassNotFoundException {
        Set<String> broken = new TreeSet<>();
        try (URLClassLoader without = withoutOptional()) {
            for (String name : PublicTypes.of(MODULES)) {
                try {
                    introspect(without.loadClass(name));
                } catch (NoClassDefFoundError e) {
                    broken.add(name);
                }
            }
        }

        assertThat(PublicTypes.of(MODULES)).hasSizeGreaterThan(100);
        assertThat(broken).isEqualTo(new TreeSet<>(FOR_OPTIONAL));
    }

    @Test
    @DisplayName("DESIGN: no module makes its users compile against an optional one")
    void requiredByNobody() {
        List<Path> descriptors = Stream.of("retry", "batching", "projection", "caching", "journal", "client", "testkit")
                .map(module -> Project.root().resolve(module).resolve("src/main/java/module-info.java"))
                .toList();

        assertThat(descriptors).allSatisfy(file -> assertThat(file)
                .content()
                .doesNotContainPattern("requires\\s+(static\\s+transitive|transitive\\s+static)"));
    }
}
