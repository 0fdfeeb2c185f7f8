package io.stowline.testkit.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The choice of the folder in which the test kit keeps what it has installed. */
public final class CacheFolder {

    static final String PROPERTY = "stowline.cache";
    static final String VARIABLE = "STOWLINE_CACHE";

    private CacheFolder() {}

    /**
     * Returns the cache folder of this process.
     *
     * @return an absolute path; the folder may not exist yet
     */
    public static Path ofThisProcess() {
        return locate(System.getProperties(), System.getenv());
    }

    static Path locate(Properties properties, Map<String, String> environment) {
        return given(properties.getProperty(PROPERTY))
                .or(() -> given(environment.get(VARIABLE)))
                .orElseGet(() -> userCache(properties, environment).resolve("stowline"))
                .toAbsolutePath()
                .normalize();
    }

    private static Path userCache(Properties properties, Map<String, String> environment) {
        Path home = Path.of(properties.getProperty("user.home"));
        if (Executables.isWindows(properties.getProperty("os.name"))) {
            return given(environment.get("LOCALAPPDATA"))
                    .orElseGet(() -> home.resolve("AppData").resolve("Local"));
        }
        // The XDG base directory specification makes programs ignore a relative path.
        return given(environment.get("XDG_CACHE_HOME"))
                .filter(Path::isAbsolute)
                .orElseGet(() -> home.resolve(".cache"));
    }

    private static Optional<Path> given(@Nullable String value) {
        return Stream.ofNullable(value)
                .filter(text -> !text.isBlank())
                .map(Path::of)
                .findFirst();
    }
}
