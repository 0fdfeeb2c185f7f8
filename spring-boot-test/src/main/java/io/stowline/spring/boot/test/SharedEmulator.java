package io.stowline.spring.boot.test;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.TestStorage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The emulator of all slices of the JVM. It starts when a slice needs it, and ends with the JVM. */
final class SharedEmulator {

    private static @Nullable Azurite azurite;

    private SharedEmulator() {}

    static synchronized Azurite azurite() {
        Azurite running = azurite;
        if (running == null || !running.isAlive()) {
            running = Azurite.start();
            azurite = running;
        }
        return running;
    }

    static String connectionString() {
        String external = external(System.getenv());
        return external == null ? azurite().connectionString() : external;
    }

    static @Nullable String external(Map<String, String> environment) {
        String named = environment.getOrDefault(TestStorage.VARIABLE, "");
        return named.isBlank() ? null : named;
    }
}
