package io.stowline.transport.internal.netty.direct;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Scheme, host and port that requests go to. Immutable. */
public final class HttpOrigin {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final String text;
    private final boolean encrypted;
    private final InetSocketAddress address;
    private final byte[] authority;

    private HttpOrigin(String text, boolean encrypted, String host, int port) {
        this.text = text;
        this.encrypted = encrypted;
        this.address = InetSocketAddress.createUnresolved(unbracketed(host), port);
        boolean usual = port == (encrypted ? HTTPS : HTTP);
        this.authority = (usual ? host : host + ":" + port).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The origin that an address begins with.
     *
     * @param text the address up to its path
     * @throws IllegalArgumentException if the scheme is not {@code http} or {@code https}, spelled so: plain text is only for what says so
     */
    static HttpOrigin of(String text) {
        URI uri = URI.create(text);
        boolean encrypted = encrypted(text, uri);
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("a request goes to a host, not to " + text);
        }
        return new HttpOrigin(
                text, encrypted, uri.getHost(), uri.getPort() < 0 ? (encrypted ? HTTPS : HTTP) : uri.getPort());
    }

    private static boolean encrypted(String text, URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme();
        return switch (scheme) {
            case "https" -> true;
            case "http" -> false;
            default ->
                throw new IllegalArgumentException("a request goes to http:// or https://, spelled so, not to " + text);
        };
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Where the path of an address begins. */
    public static int pathOf(String address) {
        for (int i = address.indexOf("://") + 3; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c == '/' || c == '?') {
                return i;
            }
        }
        return address.length();
    }

    /** Whether an address with this path is of this origin. */
    boolean begins(String address, int path) {
        return text.length() == path && address.startsWith(text);
    }

    public boolean encrypted() {
        return encrypted;
    }

    /** Host and port, not looked up yet. */
    public InetSocketAddress address() {
        return address;
    }

    /** Host and port as the header {@code Host} has them; not to be changed. */
    byte[] authority() {
        return authority;
    }

    @Override
    public String toString() {
        return text;
    }
}
