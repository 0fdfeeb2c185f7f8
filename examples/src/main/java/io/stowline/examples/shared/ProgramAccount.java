package io.stowline.examples.shared;

import io.stowline.Stowline;
import io.stowline.testkit.Azurite;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The account that a program works with: a given one, or a private Azurite, which ends with it. Thread-safe. */
public final class ProgramAccount implements AutoCloseable {

    /** The variable with the connection string. */
    public static final String VARIABLE = "AZURE_STORAGE_CONNECTION_STRING";

    private final String connectionString;
    private final @Nullable Azurite azurite;

    private ProgramAccount(String connectionString, @Nullable Azurite azurite) {
        this.connectionString = connectionString;
        this.azurite = azurite;
    }

    /**
     * Returns the account that the command line names, or else the environment.
     *
     * @param arguments the command line
     * @param environment the environment of the process
     * @return the connection string, or null
     */
    public static @Nullable String connectionString(Arguments arguments, Map<String, String> environment) {
        String given = arguments.value("--connection-string");
        return given != null ? given : environment.get(VARIABLE);
    }

    /**
     * Starts Azurite if there is no account.
     *
     * @param connectionString the account, or {@code null}
     * @param out where to print that Azurite is started
     * @return the account
     * @throws InterruptedException if the thread is interrupted
     */
    public static ProgramAccount of(@Nullable String connectionString, PrintStream out) throws InterruptedException {
        if (connectionString != null) {
            return new ProgramAccount(connectionString, null);
        }
        Azurite azurite =
                Dots.during(out, "Starting Azurite, which npm installs the first time (190 MB) ", Azurite::start);
        return new ProgramAccount(azurite.connectionString(), azurite);
    }

    /**
     * Connects with the defaults.
     *
     * @return a client; close it
     * @throws UsageException if the connection string is wrong
     */
    public Stowline connect() {
        return connect(settings -> settings);
    }

    /**
     * Connects.
     *
     * @param settings changes the settings of the client
     * @return a client; close it
     * @throws UsageException if the connection string is wrong
     */
    public Stowline connect(UnaryOperator<Stowline.Builder> settings) {
        Stowline.Builder builder = settings.apply(Stowline.builder());
        try {
            return builder.connectionString(connectionString).build();
        } catch (IllegalArgumentException e) {
            throw new UsageException("--connection-string: " + e.getMessage());
        }
    }

    /**
     * Returns the connection string of the account, for processes that this one starts.
     *
     * @return the connection string, which holds a secret
     */
    public String connectionString() {
        return connectionString;
    }

    /**
     * Returns the program's own Azurite.
     *
     * @return the emulator, unless an account was given
     */
    public Optional<Azurite> azurite() {
        return Optional.ofNullable(azurite);
    }

    @Override
    public void close() {
        if (azurite != null) {
            azurite.close();
        }
    }
}
