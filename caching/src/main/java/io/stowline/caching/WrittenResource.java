package io.stowline.caching;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request may have changed.
 *
 * @param resource what it names
 * @param below how the names of what it may have changed besides begin, null if there is nothing
 * @param horizon for how long it may yet take effect if there was no answer
 */
record WrittenResource(String resource, @Nullable String below, Duration horizon) {

    /** What the service grants a request that asks for nothing else. */
    private static final long TIMEOUT_SECONDS = 30;

    private static final long MARGIN_SECONDS = 5;

    static WrittenResource of(HttpRequest request) {
        ResourceUrl url = ResourceUrl.of(request);
        return new WrittenResource(url.resource(), below(request.getHttpMethod(), url), horizon(url.query()));
    }

    /** A container as a whole, and what a batch names in its body. */
    private static @Nullable String below(HttpMethod method, ResourceUrl url) {
        boolean whole = method == HttpMethod.POST
                || url.query().containsKey("restype")
                || "batch".equals(url.query().get("comp"));
        String resource = url.resource();
        return !whole ? null : resource.endsWith("/$batch") ? resource.substring(0, resource.length() - 6) : resource;
    }

    private static Duration horizon(Map<String, String> query) {
        String timeout = query.getOrDefault("timeout", "");
        boolean told = timeout.matches("\\d{1,6}");
        return Duration.ofSeconds((told ? Long.parseLong(timeout) : TIMEOUT_SECONDS) + MARGIN_SECONDS);
    }
}
