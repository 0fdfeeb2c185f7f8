package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of response headers as the models of the SDK search them: families of headers, such as metadata, by a prefix in lower case.
 * The names of HTTP have no case, and proxies change it. Stateless.
 */
final class SdkHeaderNames {

    private static final List<String> FAMILIES = List.of("x-ms-meta-", "x-ms-or-");

    private SdkHeaderNames() {}

    /**
     * Returns a response whose families of headers have their prefix in lower case; the rest of a name is unchanged.
     *
     * @param response a response in any case
     * @return the response itself if nothing is to be changed
     */
    static HttpResponse in(HttpResponse response) {
        HttpHeaders headers = renamed(response.getHeaders());
        if (headers == null) {
            return response;
        }
        return response instanceof BufferedResponse whole
                ? new BufferedResponse(
                        whole.getRequest(), whole.getStatusCode(), headers, BufferedResponse.bytes(whole))
                : new StreamedResponse(response, headers);
    }

    private static @Nullable HttpHeaders renamed(HttpHeaders headers) {
        if (headers.stream().allMatch(header -> family(header.getName()) == null)) {
            return null;
        }
        HttpHeaders renamed = new HttpHeaders();
        for (HttpHeader header : headers) {
            String name = header.getName();
            String family = family(name);
            HttpHeaderName now =
                    HttpHeaderName.fromString(family == null ? name : family + name.substring(family.length()));
            for (String value : header.getValuesList()) {
                renamed.add(now, value);
            }
        }
        return renamed;
    }

    /** The family of a name whose prefix has another case, or {@code null}. */
    private static @Nullable String family(String name) {
        for (String family : FAMILIES) {
            if (name.regionMatches(true, 0, family, 0, family.length()) && !name.startsWith(family)) {
                return family;
            }
        }
        return null;
    }
}
