package io.stowline.transport.internal.account;

import com.azure.core.credential.TokenRequestContext;
import io.stowline.transport.internal.http.ResponseBounds;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The demands of the service on a token, in {@code WWW-Authenticate}: such as {@code Bearer
 * authorization_uri=https://login.microsoftonline.com/<tenant>/oauth2/authorize resource_id=https://storage.azure.com}, or in the
 * quoted form with commas and {@code claims} in Base64 (continuous access evaluation).
 */
public final class BearerChallenge {

    private static final Pattern SCHEME = Pattern.compile("(?i)(?:^|[\\s,])Bearer(?=\\s|$)");
    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9.-]{1,128}");
    private static final Set<String> NO_TENANTS = Set.of("common", "organizations", "consumers");
    private static final String DEFAULT = "/.default";

    private final Map<String, String> parameters;

    private BearerChallenge(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    public static @Nullable BearerChallenge in(@Nullable String header) {
        if (header == null) {
            return null;
        }
        String text = header.length() > ResponseBounds.HEADER ? header.substring(0, ResponseBounds.HEADER) : header;
        Matcher scheme = SCHEME.matcher(text);
        return scheme.find() ? new BearerChallenge(parameters(text, scheme.end())) : null;
    }

    /** Reads {@code name = value} and {@code name = "value"} in one pass from left to right. */
    private static Map<String, String> parameters(String text, int from) {
        Map<String, String> parameters = new HashMap<>();
        int at = from;
        while (at < text.length()) {
            int nameEnd = end(text, at, BearerChallenge::word);
            int equals = end(text, nameEnd, Character::isWhitespace);
            if (nameEnd == at || equals >= text.length() || text.charAt(equals) != '=') {
                at = Math.max(nameEnd, at + 1);
                continue;
            }
            int value = end(text, equals + 1, Character::isWhitespace);
            boolean quoted = value < text.length() && text.charAt(value) == '"';
            int begin = quoted ? value + 1 : value;
            int end = quoted ? text.indexOf('"', begin) : end(text, begin, BearerChallenge::plain);
            if (end < 0) {
                break; // a quote without its end
            }
            if (quoted || end > begin) {
                parameters.putIfAbsent(
                        text.substring(at, nameEnd).toLowerCase(Locale.ROOT), text.substring(begin, end));
            }
            at = quoted ? end + 1 : Math.max(end, equals + 1);
        }
        return parameters;
    }

    private static int end(String text, int from, IntPredicate of) {
        int end = from;
        while (end < text.length() && of.test(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean word(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    private static boolean plain(int c) {
        return c != ',' && c != '"' && !Character.isWhitespace(c);
    }

    /**
     * Puts the challenge into a request for a token.
     *
     * @param request the request with the usual scope, changed in place
     * @param host who made the challenge
     */
    public TokenRequestContext requests(TokenRequestContext request, String host) {
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
        return path.length < 2 || !TENANT.matcher(path[1]).matches() || NO_TENANTS.contains(path[1]) ? null : path[1];
    }

    /** A token for anything but storage must not be had by any server behind an endpoint. */
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
