package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.internal.wire.TableAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A test for queries of entities, and changes of their parameters. */
final class Queries {

    private Queries() {}

    static boolean isQuery(SentRequest request) {
        return request.service() == StorageService.TABLE
                && request.method().equals("GET")
                && !request.query().containsKey("comp")
                && TableAddress.of(request.path()).isQuery();
    }

    /** Returns the request with a parameter set, or without it for {@code null}; the others stay as they were sent. */
    static SentRequest with(SentRequest request, String name, @Nullable String value) {
        List<String> parameters = new ArrayList<>();
        int mark = request.target().indexOf('?');
        if (mark >= 0) {
            parameters.addAll(List.of(request.target().substring(mark + 1).split("&", -1)));
            parameters.removeIf(parameter -> parameter.isEmpty() || isNamed(parameter, name));
        }
        if (value != null) {
            parameters.add(encoded(name) + "=" + encoded(value));
        }
        return request.withTarget(request.path() + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters)));
    }

    private static boolean isNamed(String parameter, String name) {
        return parameter.startsWith(name + "=") || parameter.startsWith(encoded(name) + "=");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
