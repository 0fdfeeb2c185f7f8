package io.stowline.testkit;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The storage account that a test is given: a separate {@link Azurite}, or the account that the environment variable {@value #VARIABLE}
 * names.
 *
 * <p>With that variable set no emulator is started, and the same tests run against its endpoints. Tests have to bear what
 * others left there. Safe for use by several threads.
 */
public final class TestStorage {

    /** The environment variable that holds the connection string of another account to test against. */
    public static final String VARIABLE = "STOWLINE_TEST_CONNECTION_STRING";

    private final Supplier<String> connectionString;
    private final @Nullable Azurite azurite;
    private final Supplier<String> name;

    private TestStorage(Supplier<String> connectionString, @Nullable Azurite azurite, Supplier<String> name) {
        this.connectionString = connectionString;
        this.azurite = azurite;
        this.name = name;
    }

    static TestStorage external(String connectionString) {
        return new TestStorage(() -> connectionString, null, () -> VARIABLE);
    }

    static TestStorage of(Azurite azurite) {
        return new TestStorage(azurite::connectionString, azurite, azurite::toString);
    }

    /** Returns the same account with its endpoints elsewhere. */
    TestStorage through(String where, UnaryOperator<String> moved) {
        return new TestStorage(() -> moved.apply(connectionString()), azurite, () -> name.get() + " through " + where);
    }

    /**
     * Returns the connection string of the account.
     *
     * @return a connection string; take it again after a restart of the emulator
     */
    public String connectionString() {
        return connectionString.get();
    }

    /**
     * Returns whether the test kit runs the account as an emulator.
     *
     * @return {@code false} when {@value #VARIABLE} decides, whatever it points at
     */
    public boolean isEmulator() {
        return azurite != null;
    }

    /**
     * Returns the emulator behind the account.
     *
     * @return empty when {@value #VARIABLE} decides
     */
    public Optional<Azurite> azurite() {
        return Optional.ofNullable(azurite);
    }

    /** Names the kind of storage, never the connection string: it may hold a secret. */
    @Override
    public String toString() {
        return "TestStorage[" + name.get() + "]";
    }
}
