package io.stowline.spark.internal.option;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The place of an account and its credential: the name of an environment variable, the path of a file, or the name of a class. It holds
 * no secret, and two that are equal share a client.
 *
 * @param place the kind of the place
 * @param name the name of the variable or of the class, or the path
 * @param options the options for the class
 */
public record AccountSource(SecretPlace place, String name, Map<String, String> options) implements Serializable {

    /** The kind of a place of a secret. */
    public enum SecretPlace {
        ENVIRONMENT("connectionStringEnv"),
        FILE("connectionStringFile"),
        CLASS("credentialClass");

        private final String option;

        SecretPlace(String option) {
            this.option = option;
        }

        /** Returns the name of the option. */
        public String option() {
            return option;
        }
    }

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern PATH = Pattern.compile("(?!(?s:.*)(AccountKey|SharedAccessSignature|sig)=).{1,4096}");
    private static final Pattern CLASS_NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

    /** Checks that all is there, and copies the map into one that Java serializes. */
    public AccountSource {
        Objects.requireNonNull(place, "place");
        Objects.requireNonNull(name, "name");
        options = new TreeMap<>(options);
    }

    static AccountSource of(OptionMap given, Map<String, String> ofClass) {
        @Nullable
        String variable = given.named(
                SecretPlace.ENVIRONMENT.option(),
                VARIABLE,
                "the name of an environment variable, of letters, digits and _");
        @Nullable String path = given.named(SecretPlace.FILE.option(), PATH, "the path of a file");
        @Nullable String type = given.named(SecretPlace.CLASS.option(), CLASS_NAME, "the name of a class");
        List<AccountSource> sources = Stream.of(
                        source(SecretPlace.ENVIRONMENT, variable, Map.of()),
                        source(SecretPlace.FILE, path, Map.of()),
                        source(SecretPlace.CLASS, type, ofClass))
                .flatMap(List::stream)
                .toList();
        if (sources.size() != 1) {
            throw new IllegalArgumentException("the account is given by one of connectionStringEnv,"
                    + " connectionStringFile and credentialClass, but " + sources.size() + " of them are set");
        }
        if (type == null && !ofClass.isEmpty()) {
            throw new IllegalArgumentException("the options credential.* are for credentialClass, which is not set");
        }
        return sources.get(0);
    }

    private static List<AccountSource> source(SecretPlace place, @Nullable String name, Map<String, String> options) {
        return name == null ? List.of() : List.of(new AccountSource(place, name, options));
    }

    @Override
    public String toString() {
        return place.option() + " " + name;
    }
}
