package io.stowline.caching;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.http.HttpRequest;
import java.net.URL;
import java.net.URLDecoder;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The URL of a request in its parts.
 *
 * @param resource scheme, host, port and path without percent signs: what is read or written
 * @param query the parameters that select a part of it
 * @param signature the parameters of a shared access signature
 */
record ResourceUrl(String resource, Map<String, String> query, Map<String, String> signature) {

    private static final Set<String> SIGNATURE = Set.of(
            "sv", "ss", "srt", "sp", "st", "se", "spr", "sip", "sig", "sr", "si", "ses", "sdd", "scid", "saoid",
            "suoid", "skoid", "sktid", "skt", "ske", "sks", "skv", "skdutid", "sduoid", "rscc", "rscd", "rsce", "rscl",
            "rsct", "tn", "spk", "srk", "epk", "erk");

    static ResourceUrl of(HttpRequest request) {
        URL url = request.getUrl();
        int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
        String resource = url.getProtocol() + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port
                + decoded(url.getPath());
        Map<String, String> query = new TreeMap<>();
        Map<String, String> signature = new TreeMap<>();
        for (String parameter :
                url.getQuery() == null ? new String[0] : url.getQuery().split("&", 0)) {
            int equals = parameter.indexOf('=');
            String name = (equals < 0 ? parameter : parameter.substring(0, equals)).toLowerCase(Locale.ROOT);
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            (SIGNATURE.contains(name) ? signature : query).put(name, value);
        }
        return new ResourceUrl(resource, query, signature);
    }

    /** Returns whether a read of it receives messages, or may be a query of a table, whose change no write reveals. */
    boolean namesMessagesOrRows() {
        return resource.contains(".queue.")
                || resource.endsWith("/messages")
                || resource.contains(".table.")
                || resource.endsWith("()");
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
