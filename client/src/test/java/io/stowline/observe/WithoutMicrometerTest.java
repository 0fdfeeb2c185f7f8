package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Micrometer is optional: a client works where it is not. */
class WithoutMicrometerTest {

    private static final Pattern NEEDED = Pattern.compile(
            "^(stowline-(client|retry|batching|projection|caching)|caffeine-|azure-|netty-|reactor-|reactive-streams|resilience4j-core|slf4j-api|jspecify|jackson-(annotations|core|databind|dataformat-xml|datatype-jsr310)-|stax2|woodstox)");
    private static final String ACCOUNT = "AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acct";

    private static List<Path> classPathWithoutMicrometer() {
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(whole.split(File.pathSeparator))
                .filter(entry -> !entry.contains("micrometer"))
                .map(Path::of)
                .toList();
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a client with a listener that does nothing, reads it, fails to reach the service, and closes it. */
    private static void work(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> type = loader.loadClass("io.stowline.Stowline");
        assertThat(type.getClassLoader()).isSameAs(loader);
        Object client = type.getMethod("connect", String.class).invoke(null, ACCOUNT);
        Method table = type.getMethod("table", String.class);
        assertThat(table.invoke(client, "people")).hasToString("Table[people]");
        type.getMethod("close").invoke(client);
    }

    @Test
    void worksOnAClassPathWithoutIt() throws ReflectiveOperationException, IOException {
        URL[] urls = classPathWithoutMicrometer().stream()
                .map(WithoutMicrometerTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader without = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            work(without);
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> without.loadClass("io.micrometer.core.instrument.MeterRegistry"));
            assertThatExceptionOfType(LinkageError.class)
                    .isThrownBy(() -> without.loadClass("io.stowline.observe.MicrometerListener")
                            .getDeclaredMethods());
        }
    }

    @Test
    void worksOnAModulePathWithoutIt() throws ReflectiveOperationException {
        Path[] path = classPathWithoutMicrometer().stream()
                .filter(WithoutMicrometerTest::isNeeded)
                .toArray(Path[]::new);
        ModuleLayer boot = ModuleLayer.boot();
        Configuration resolved = boot.configuration()
                .resolveAndBind(ModuleFinder.of(path), ModuleFinder.of(), Set.of("io.stowline.client"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());

        assertThat(layer.modules()).extracting(Module::getName).contains("io.stowline.client");
        assertThat(layer.modules()).extracting(Module::getName).noneMatch(name -> name.startsWith("micrometer"));
        work(layer.findLoader("io.stowline.client"));
        // What TLS needs is there, too.
        assertThat(Class.forName(
                        "reactor.netty.http.client.HttpClientSecure", true, layer.findLoader("io.stowline.client")))
                .isNotNull();
    }

    /** Libraries that only the tests need, and that may be no module at all, stay away. */
    private static boolean isNeeded(Path entry) {
        return NEEDED.matcher(entry.getFileName().toString()).find()
                || Files.exists(entry.resolve("module-info.class"));
    }
}
