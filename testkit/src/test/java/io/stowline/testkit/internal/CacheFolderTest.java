package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheFolderTest {

    @TempDir
    Path temp;

    @Test
    void isBelowTheHomeOfTheUser() {
        assertThat(locate("Linux", Map.of())).isEqualTo(temp.resolve(".cache/stowline"));
    }

    @Test
    void followsTheXdgVariable() {
        String xdg = temp.resolve("xdg").toString();

        assertThat(locate("Linux", Map.of("XDG_CACHE_HOME", xdg))).isEqualTo(temp.resolve("xdg/stowline"));
    }

    @Test
    void ignoresARelativeOrEmptyXdgVariable() {
        assertThat(locate("Linux", Map.of("XDG_CACHE_HOME", "caches"))).isEqualTo(temp.resolve(".cache/stowline"));
        assertThat(locate("Linux", Map.of("XDG_CACHE_HOME", ""))).isEqualTo(temp.resolve(".cache/stowline"));
    }

    @Test
    void isLocalApplicationDataOnWindows() {
        String local = temp.resolve("local").toString();

        assertThat(locate("Windows 11", Map.of("LOCALAPPDATA", local, "XDG_CACHE_HOME", "/elsewhere")))
                .isEqualTo(temp.resolve("local/stowline"));
        assertThat(locate("Windows 11", Map.of())).isEqualTo(temp.resolve("AppData/Local/stowline"));
    }

    @Test
    void isMovedByTheVariable() {
        String moved = temp.resolve("moved").toString();

        assertThat(locate("Linux", Map.of("STOWLINE_CACHE", moved))).isEqualTo(temp.resolve("moved"));
    }

    @Test
    void prefersThePropertyToTheVariable() {
        Properties properties = properties("Linux");
        properties.setProperty("stowline.cache", temp.resolve("mine").toString());

        assertThat(CacheFolder.locate(properties, Map.of("STOWLINE_CACHE", "/elsewhere")))
                .isEqualTo(temp.resolve("mine"));
    }

    @Test
    void isAlwaysAbsolute() {
        assertThat(locate("Linux", Map.of("STOWLINE_CACHE", "relative/./cache")))
                .isAbsolute()
                .endsWithRaw(Path.of("relative/cache"));
    }

    private Path locate(String os, Map<String, String> environment) {
        return CacheFolder.locate(properties(os), environment);
    }

    private Properties properties(String os) {
        Properties properties = new Properties();
        properties.setProperty("os.name", os);
        properties.setProperty("user.home", temp.toString());
        return properties;
    }
}
