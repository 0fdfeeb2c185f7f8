package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The name of this client, and of the application that uses it, in requests to the service. Immutable. */
public final class UserAgent implements HttpPipelinePolicy {

    private static final String TEXT = "stowline/" + version() + " (Java " + System.getProperty("java.version") + "; "
            + System.getProperty("os.name") + " " + System.getProperty("os.version") + ")";

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

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        context.getHttpRequest().setHeader(HttpHeaderName.USER_AGENT, text);
        return next.process();
    }

    private static String version() {
        String version = UserAgent.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }
}
