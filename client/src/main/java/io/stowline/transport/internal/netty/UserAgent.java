package io.stowline.transport.internal.netty;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Name of this client, and of the application that uses it, on all requests. Immutable. */
public final class UserAgent {

    private static final String TEXT = String.join(
            "",
            "stowline/",
            version(),
            " (Java ",
            System.getProperty("java.version"),
            "; ",
            System.getProperty("os.name"),
            " ",
            System.getProperty("os.version"),
            ")");

    /** Names no application. */
    public static final UserAgent OWN = new UserAgent("");

    /** The length is that of azure-core's {@code ClientOptions.setApplicationId}. */
    private static final Pattern APPLICATION = Pattern.compile("[A-Za-z0-9._/-]{1,24}");

    private final String text;

    private UserAgent(String prefix) {
        this.text = prefix + TEXT;
    }

    /**
     * Checks the id of an application.
     *
     * @throws IllegalArgumentException if it is not 1 to 24 letters, digits and {@code . - _ /}; the text is not shown
     */
    public static String checkApplication(String id) {
        if (!APPLICATION.matcher(id).matches()) {
            throw new IllegalArgumentException("applicationId is 1 to 24 letters, digits and . - _ /, not the "
                    + id.length() + " characters that were given (not shown, they may be a key)");
        }
        return id;
    }

    public static UserAgent of(@Nullable String application) {
        return application == null ? OWN : new UserAgent(application + ' ');
    }

    /** The value of the header. */
    public String text() {
        return text;
    }

    /** Returns the version of this library, {@code dev} for one that is not packed. */
    public static String version() {
        String version = UserAgent.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }
}
