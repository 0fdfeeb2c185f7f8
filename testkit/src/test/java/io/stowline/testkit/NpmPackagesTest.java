package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class NpmPackagesTest {

    @Test
    void refusesAFolderThatIsNotThere() {
        assertThatThrownBy(() -> NpmPackages.of(NpmPackages.class, "/no/such/folder"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/no/such/folder/package.json");
    }

    @Test
    void refusesATimeoutThatIsNotPositive() {
        NpmPackages packages = NpmPackages.of(Azurite.class, "azurite");

        assertThatThrownBy(() -> packages.timeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must be positive: PT0S");
    }
}
