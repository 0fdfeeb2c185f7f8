package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.Azurite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NpmManifestTest {

    @TempDir
    Path temp;

    @Test
    void isNamedByTheHashOfTheLock() {
        byte[] lock = "abc".getBytes(StandardCharsets.US_ASCII);

        NpmManifest manifest = new NpmManifest("some", new byte[0], lock);

        // The example of FIPS 180-2, appendix B.1.
        assertThat(manifest.hash()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void writesBothFiles() throws IOException {
        NpmManifest.load(Azurite.class, "azurite").writeTo(temp);

        assertThat(temp.resolve("package.json")).content().contains("\"azurite\": \"3.35.0\"");
        assertThat(temp.resolve("package-lock.json")).content().contains("\"node_modules/azurite\"");
    }

    @Test
    void lockOfAzuriteHoldsHashesAndNoDownloadAddresses() throws IOException {
        NpmManifest.load(Azurite.class, "azurite").writeTo(temp);

        String lock = Files.readString(temp.resolve("package-lock.json"));
        long packages = Pattern.compile("\"node_modules/[^\"]+\": \\{")
                .matcher(lock)
                .results()
                .count();
        long hashes = Pattern.compile("\"integrity\": \"sha512-")
                .matcher(lock)
                .results()
                .count();

        assertThat(lock).doesNotContain("\"resolved\"").doesNotContain("hasInstallScript");
        assertThat(packages).isGreaterThan(300).isEqualTo(hashes);
    }

    @Test
    void refusesAFolderThatIsNotThere() {
        assertThatThrownBy(() -> NpmManifest.load(Azurite.class, "nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing/package.json")
                .hasMessageContaining(Azurite.class.getName());
    }
}
