package io.stowline.transport.internal.netty.direct;

import io.stowline.transport.internal.account.HttpAuthority;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Scheme, host and port that requests go to. Immutable. */
final class HttpOrigin {

    private static final String PLAIN = "http://";
    private static final String ENCRYPTED = "https://";
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final String text;
    private final boolean encrypted;
    private final InetSocketAddress address;
    private final String authority;

    private HttpOrigin(String text, boolean encrypted, String host, int port) {
        this.text = text;
        this.encrypted = encrypted;
        this.address = InetSocketAddress.createUnresolved(unbracketed(host), port);
        boolean usual = port == (encrypted ? HTTPS : HTTP);
        this.authority = usual ? host : host + ":" + port;
    }

    /**
     * Returns the origin that an address begins with.
     *
     * @param text the address up to its path
     * @throws IllegalArgumentException if the scheme is not {@code http} or {@code https}, spelled so: plain text is only for explicit http
     */
    static HttpOrigin of(String text) {
        boolean encrypted = text.startsWith(ENCRYPTED);
        if (!encrypted && !text.startsWith(PLAIN)) {
            throw new IllegalArgumentException("a request goes to http:// or https://, spelled so, not to " + text);
        }
        HttpAuthority authority = HttpAuthority.of(text.substring((encrypted ? ENCRYPTED : PLAIN).length()));
        int port = authority.port() < 0 ? (encrypted ? HTTPS : HTTP) : authority.port();
        return new HttpOrigin(text, encrypted, authority.host(), port);
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns the index at which the path of an address begins. */
    static int pathOf(String address) {
        for (int i = address.indexOf("://") + 3; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c == '/' || c == '?') {
                return i;
            }
        }
        return address.length();
    }

    /** Returns whether an address with this path is of this origin. */
    boolean begins(String address, int path) {
        return text.length() == path && address.startsWith(text);
    }

    boolean encrypted() {
        return encrypted;
    }

    /** Returns host and port, not looked up yet. */
    InetSocketAddress address() {
        return address;
    }

    /** Returns host and port as the header {@code Host} has them. */
    String authority() {
        return authority;
    }

    @Override
    public String toString() {
        return text;
    }

    /**
     * The values of a client for each origin that it sends to, made with the first request to it. Most clients send to
     * one origin only, which is found without cutting its text out of the address. Thread-safe.
     */
    static final class OriginMap<V> {

        private final Function<HttpOrigin, V> maker;
        private final Map<String, Entry<V>> entries = new ConcurrentHashMap<>();
        private volatile @Nullable Entry<V> latest;

        private record Entry<V>(HttpOrigin origin, V value) {}

        /** A map without an origin. */
        OriginMap(Function<HttpOrigin, V> maker) {
            this.maker = maker;
        }

        /**
         * Returns the value for the origin of an address.
         *
         * @param path the index of the path in the address
         * @throws IllegalArgumentException if it is no address of a host over HTTP
         */
        V of(String address, int path) {
            Entry<V> known = latest;
            if (known == null || !known.origin.begins(address, path)) {
                known = entries.computeIfAbsent(address.substring(0, path), text -> {
                    HttpOrigin origin = HttpOrigin.of(text);
                    return new Entry<>(origin, maker.apply(origin));
                });
                latest = known;
            }
            return known.value;
        }

        void forEach(Consumer<V> action) {
            entries.values().forEach(entry -> action.accept(entry.value));
        }
    }
}
