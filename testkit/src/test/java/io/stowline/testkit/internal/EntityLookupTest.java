package io.stowline.testkit.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.NpmPackages;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class EntityLookupTest {

    @TempDir
    Path temp;

    @Test
    void findsTheSameEntitiesWithoutReadingTheirPartition() throws IOException, InterruptedException {
        Path packages = NpmPackages.of(Azurite.class, "azurite").install();
        Path lookup = CachedScript.of(temp, Azurite.class, "azurite/entity-lookup.js");
        Path check = CachedScript.of(temp, EntityLookupTest.class, "entity-lookup-check.js");

        Process process = new ProcessBuilder(
                        NodeTools.ofThisProcess().node().toString(), check.toString(), lookup.toString())
                .directory(packages.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).isEmpty();
    }
}
