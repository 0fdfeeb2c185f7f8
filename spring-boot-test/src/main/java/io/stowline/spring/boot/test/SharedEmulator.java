package io.stowline.spring.boot.test;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.TestStorage;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The emulator of all slices of the JVM. It starts when a slice needs it, and ends with the JVM. */
final class SharedEmulator {

    private static final EmulatorAccounts ACCOUNTS = new EmulatorAccounts();

    private static @Nullable Azurite azurite;

    private SharedEmulator() {}

    static synchronized Azurite azurite() {
        Azurite running = azurite;
        if (running == null || !running.isAlive()) {
            running = EmulatorAccounts.start();
            azurite = running;
        }
        return running;
    }

    static String connectionString() {
        String external = external(System.getenv());
        return external == null ? azurite().connectionString() : external;
    }

    /**
     * Returns the connection string of a further account.
     *
     * @param account the name below {@code stowline.accounts}
     * @param inFront the proxy that its requests go through; {@code null} without one
     * @throws IllegalStateException if the environment names an account, which is one, or the emulator has no account left
     */
    static String connectionString(String account, @Nullable FaultProxy inFront) {
        if (external(System.getenv()) != null) {
            throw new IllegalStateException("'stowline.accounts." + account + "' has no account in this test: "
                    + TestStorage.VARIABLE + " names the account of the main client only; give further accounts"
                    + " theirs by a bean of type StowlineAccountConnections");
        }
        String name = ACCOUNTS.of(account);
        return inFront == null
                ? azurite().connectionString(name)
                : EmulatorAccounts.connectionString(name, inFront::endpoint);
    }

    static @Nullable String external(Map<String, String> environment) {
        String named = environment.getOrDefault(TestStorage.VARIABLE, "");
        return named.isBlank() ? null : named;
    }
}
