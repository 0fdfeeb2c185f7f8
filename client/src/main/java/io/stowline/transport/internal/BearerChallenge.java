package io.stowline.transport.internal;

import com.azure.core.credential.TokenRequestContext;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the service wants of a token, in {@code WWW-Authenticate}: such as {@code Bearer
 * authorization_uri=https://login.microsoftonline.com/<tenant>/oauth2/authorize resource_id=https://storage.azure.com}, or in the
 * quoted form with commas and {@code claims} in Base64 (continuous access evaluation).
 */
final class BearerChallenge {

    private static final Pattern SCHEME = Pattern.compile("(?i)(?:^|[\\s,])Bearer(?=\\s|$)");
    private static final Pattern PARAMETER = Pattern.compile("(\\w+)\\s*=\\s*(?:\"([^\"]*)\"|([^\\s,\"]+))");
    private static final Set<String> NO_TENANTS = Set.of("common", "organizations", "consumers");
    private static final String DEFAULT = "/.default";

    private final Map<String, String> parameters;

    private BearerChallenge(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    static @Nullable BearerChallenge in(@Nullable String header) {
        Matcher scheme = SCHEME.matcher(header == null ? "" : header);
        if (header == null || !scheme.find()) {
            return null;
        }
        Map<String, String> parameters = new HashMap<>();
        Matcher each = PARAMETER.matcher(header);
        for (int at = scheme.end(); each.find(at); at = each.end()) {
            String value = each.group(2) == null ? each.group(3) : each.group(2);
            parameters.putIfAbsent(each.group(1).toLowerCase(Locale.ROOT), value);
        }
        return new BearerChallenge(parameters);
    }

    /**
     * Puts the challenge into a request for a token.
     *
     * @param request the request with the usual scope, changed in place
     * @param host who made the challenge
     */
    TokenRequestContext asks(TokenRequestContext request, String host) {
        String scope = scope(host);
        if (scope != null) {
            request.setScopes(List.of(scope));
        }
        String tenant = tenant();
        if (tenant != null) {
            request.setTenantId(tenant);
        }
        String claims = claims();
        return claims == null ? request : request.setClaims(claims);
    }

    private @Nullable String tenant() {
        URI uri = uri(parameters.getOrDefault("authorization_uri", parameters.get("authorization")));
        String[] path = uri == null || uri.getPath() == null
                ? new String[0]
                : uri.getPath().split("/", -1);
        return path.length < 2 || path[1].isEmpty() || NO_TENANTS.contains(path[1]) ? null : path[1];
    }

    /** A token for anything but storage must not be had by whoever answers at an endpoint. */
    private @Nullable String scope(String host) {
        String resource = parameters.getOrDefault("resource_id", parameters.get("scope"));
        URI uri = uri(resource);
        if (resource == null || uri == null || !"https".equals(uri.getScheme())) {
            return null;
        }
        boolean trusted = "storage.azure.com".equals(uri.getHost()) || host.equalsIgnoreCase(uri.getHost());
        if (!trusted) {
            return null;
        }
        return resource.endsWith(DEFAULT) ? resource : resource.replaceFirst("/$", "") + DEFAULT;
    }

    private @Nullable String claims() {
        String claims = parameters.get("claims");
        if (claims == null) {
            return null;
        }
        try {
            byte[] text = Base64.getUrlDecoder().decode(claims.replace('+', '-').replace('/', '_'));
            return new String(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable URI uri(@Nullable String text) {
        try {
            return text == null ? null : URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
