package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.Azurite;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CachedScriptTest {

    private static final String SCRIPT = "azurite/parent-bound.js";

    @TempDir
    Path temp;

    @Test
    void writesTheScriptUnderItsHash() throws IOException {
        Path file = CachedScript.of(temp, Azurite.class, SCRIPT);

        assertThat(file).content().contains("process.stdin");
        assertThat(file)
                .hasParent(temp.resolve("scripts"))
                .hasFileName(Resources.sha256(Files.readAllBytes(file)) + ".js");
        assertThat(file.getParent()).isDirectoryContaining(file::equals).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void writesItOnce() throws IOException {
        Path file = CachedScript.of(temp, Azurite.class, SCRIPT);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));

        CachedScript.of(temp, Azurite.class, SCRIPT);

        assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.fromMillis(0));
    }

    @Test
    @DisplayName("S11: a script that was changed is written again")
    void repairsAChangedScript() throws IOException {
        Path file = CachedScript.of(temp, Azurite.class, SCRIPT);
        Files.writeString(file, "evil()");

        CachedScript.of(temp, Azurite.class, SCRIPT);

        assertThat(file).content().contains("process.stdin");
    }

    @Test
    void refusesAMissingResource() {
        assertThatThrownBy(() -> CachedScript.of(temp, Azurite.class, "azurite/none.js"))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("azurite/none.js");
    }
}
