package io.stowline.testkit;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The storage account that a test is given: an {@link Azurite} of its own, or the account that the environment variable
 * {@value #VARIABLE} names.
 *
 * <p>With that variable set no emulator is started, and the same tests run against its endpoints. Tests have to bear what
 * others left there. Safe for use by several threads.
 */
public final class TestStorage {

    /** The environment variable that holds the connection string of another account to test against. */
    public static final String VARIABLE = "STOWLINE_TEST_CONNECTION_STRING";

    private final String external;
    private final @Nullable Azurite azurite;

    private TestStorage(String external, @Nullable Azurite azurite) {
        this.external = external;
        this.azurite = azurite;
    }

    static TestStorage external(String connectionString) {
        return new TestStorage(connectionString, null);
    }

    static TestStorage of(Azurite azurite) {
        return new TestStorage("", azurite);
    }

    /**
     * How to reach the account.
     *
     * @return a connection string; take it again after a restart of the emulator
     */
    public String connectionString() {
        return azurite == null ? external : azurite.connectionString();
    }

    /**
     * Whether the test kit runs the account as an emulator.
     *
     * @return {@code false} when {@value #VARIABLE} decides, whatever it points at
     */
    public boolean isEmulator() {
        return azurite != null;
    }

    /**
     * The emulator behind the account.
     *
     * @return empty when {@value #VARIABLE} decides
     */
    public Optional<Azurite> azurite() {
        return Optional.ofNullable(azurite);
    }

    /** Names the kind of storage, never the connection string: it may hold a secret. */
    @Override
    public String toString() {
        return azurite == null ? "TestStorage[" + VARIABLE + "]" : "TestStorage[" + azurite + "]";
    }
}
