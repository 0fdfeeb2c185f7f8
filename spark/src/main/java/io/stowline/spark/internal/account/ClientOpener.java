package io.stowline.spark.internal.account;

import io.stowline.Stowline;
import io.stowline.spark.TableCredentials;
import io.stowline.spark.internal.option.AccountSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An opener of clients that reads the secret on the machine that uses it. */
final class ClientOpener {

    private static final String APPLICATION = "stowline-spark";

    private final UnaryOperator<@Nullable String> environment;

    ClientOpener(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * Opens a client.
     *
     * @throws IllegalArgumentException if the secret is not there, or is none
     */
    Stowline open(AccountSource source) {
        Stowline.Builder client =
                switch (source.place()) {
                    case ENVIRONMENT -> Stowline.builder().connectionString(variable(source.name()));
                    case FILE -> Stowline.builder().connectionString(content(Path.of(source.name())));
                    case CLASS -> configured(source);
                };
        return client.applicationId(APPLICATION).listener(TaskListener.INSTANCE).build();
    }

    private String variable(String name) {
        String value = environment.apply(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("connectionStringEnv: the environment variable " + name
                    + " is not set on this machine; driver and executors need it"
                    + " (the secrets of the cluster, or spark.executorEnv. and a name that Spark hides, such as"
                    + " STORAGE_SECRET)");
        }
        return value.strip();
    }

    private static String content(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "connectionStringFile: " + file + " cannot be read on this machine; driver and executors need it",
                    e);
        }
    }

    private static Stowline.Builder configured(AccountSource source) {
        Stowline.@Nullable Builder client = credentials(source.name()).configure(Stowline.builder(), source.options());
        if (client == null) {
            throw new IllegalArgumentException("credentialClass: " + source.name()
                    + ".configure returned null; it returns the builder that it is given");
        }
        return client;
    }

    private static TableCredentials credentials(String name) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Class<?> type = Class.forName(name, true, loader == null ? ClientOpener.class.getClassLoader() : loader);
            return (TableCredentials) type.getConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "credentialClass: " + name + " is no public class on the class path that implements "
                            + TableCredentials.class.getName() + " and has a public constructor without parameters",
                    e);
        }
    }
}
