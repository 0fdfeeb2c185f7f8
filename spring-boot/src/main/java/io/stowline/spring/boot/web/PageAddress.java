package io.stowline.spring.boot.web;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The address of a list, without its host: behind proxies the host of a request is not always that of the client.
 *
 * @param path the path as it was sent
 * @param query the query as it was sent
 * @param tokenName the parameter that has the token
 */
record PageAddress(String path, @Nullable String query, String tokenName) {

    private static final Pattern SLASHES = Pattern.compile("^/+");
    private static final Pattern NO_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final Pattern NOT_IN_ADDRESS = Pattern.compile("[^A-Za-z0-9\\-._~!$&'()*+,;=:@/?%]+");

    /** Returns the address of another page. */
    URI with(String token) {
        Stream<String> others = query == null
                ? Stream.empty()
                : Arrays.stream(query.split("&")).filter(parameter -> !parameter.isEmpty() && !isToken(parameter));
        String parameters = Stream.concat(
                        others.map(PageAddress::encoded),
                        Stream.of(URLEncoder.encode(tokenName, StandardCharsets.UTF_8) + "="
                                + URLEncoder.encode(token, StandardCharsets.UTF_8)))
                .collect(Collectors.joining("&"));
        // Two slashes at the beginning would make the first segment a host.
        return URI.create(encoded(SLASHES.matcher(path).replaceFirst("/")).replace("?", "%3F") + "?" + parameters);
    }

    private boolean isToken(String parameter) {
        int end = parameter.indexOf('=');
        String name = end < 0 ? parameter : parameter.substring(0, end);
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8).equals(tokenName);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    /** Returns a part of the address with what a server accepts although it is no part of one, encoded. */
    private static String encoded(String part) {
        return NOT_IN_ADDRESS.matcher(NO_ESCAPE.matcher(part).replaceAll("%25")).replaceAll(match -> URLEncoder.encode(
                        match.group(), StandardCharsets.UTF_8)
                .replace("+", "%20"));
    }
}
